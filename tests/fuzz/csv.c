/* Comma-separated values: what is written reads back as the same records. */
#include "fuzz.h"

#include <string.h>

#include "base/csv.h"

static void put_records(struct buffer *text, const struct records *records)
{
    for (int i = 0; i < (records->count + 1) * records->columns; i++) {
        csv_put_field(text, records->fields[i]);
        buffer_text(text, (i + 1) % records->columns == 0 ? "\n" : ",");
    }
}

void fuzz_csv(const char *bytes, size_t length)
{
    struct records records, again;
    struct buffer text = {0};
    struct error error;
    enum status status = records_parse(&records, bytes, length, &error);

    if (status != STATUS_OK) {
        fuzz_check_message(error.message);
        return;
    }
    for (int i = 0; i < records.comment_count; i++)
        fuzz_check(records.comments[i][0] == '#', "comment: %s", records.comments[i]);
    put_records(&text, &records);
    /* an empty field alone on its line would be an empty line */
    if (records.columns > 1) {
        status = records_parse(&again, text.bytes, text.length, &error);
        fuzz_check(status == STATUS_OK, "%s:\n%s", error.message, text.bytes);
        fuzz_check(again.count == records.count && again.columns == records.columns,
                   "%d x %d instead of %d x %d", again.count, again.columns, records.count,
                   records.columns);
        for (int i = 0; i < (records.count + 1) * records.columns; i++)
            fuzz_check(strcmp(again.fields[i], records.fields[i]) == 0, "\"%s\" and \"%s\"",
                       again.fields[i], records.fields[i]);
        records_free(&again);
    }
    buffer_free(&text);
    records_free(&records);
}
