#include "draw/chart.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "draw/text.h"
#include "sample_charts.h"

static char *svg_of(const struct chart *chart)
{
    static char *text; /* static: gcc 12 takes what the stream allocates for these themselves */
    static size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        abort();
    chart_svg(chart, file);
    fclose(file);
    return text;
}

/* A reader of what the writer may write: elements with quoted attributes, and text between them. */
struct reader {
    const char *at;
    char open[16][24]; /* names of elements not closed yet */
    int depth;
    const char *problem; /* NULL: none */
    int elements;
};

static const struct {
    const char *element;
    const char *attributes; /* that it may bear, of SVG 1.1 */
} grammar[] = {
    {"svg", " xmlns version width height viewBox font-family "},
    {"title", " "},
    {"desc", " "},
    {"defs", " "},
    {"pattern", " id width height patternUnits "},
    {"rect", " x y width height fill fill-opacity stroke stroke-width shape-rendering "},
    {"line", " x1 y1 x2 y2 stroke stroke-width stroke-dasharray "},
    {"path", " d transform fill stroke stroke-width stroke-dasharray stroke-linecap "},
    {"text", " x y font-size fill text-anchor font-weight transform "},
};

/* NULL: no such element. */
static const char *attributes_of(const char *element)
{
    for (size_t g = 0; g < sizeof grammar / sizeof grammar[0]; g++)
        if (strcmp(grammar[g].element, element) == 0)
            return grammar[g].attributes;
    return NULL;
}

static void word(struct reader *reader, char *text, size_t size)
{
    size_t used = 0;

    while (isalnum((unsigned char)*reader->at) || *reader->at == '-') {
        if (used + 1 < size)
            text[used++] = *reader->at;
        reader->at++;
    }
    text[used] = '\0';
}

/* Up to `end`; nothing in it that XML forbids. */
static void characters(struct reader *reader, char end)
{
    while (*reader->at != '\0' && *reader->at != end) {
        uint32_t code;
        size_t length = utf8_read(reader->at, strlen(reader->at), &code);

        if (length == 0 || (code < ' ' && code != '\n') || code == '>' || code == '<')
            reader->problem = "a character";
        if (code == '&' && strncmp(reader->at, "&lt;", 4) != 0 &&
            strncmp(reader->at, "&gt;", 4) != 0 && strncmp(reader->at, "&amp;", 5) != 0 &&
            strncmp(reader->at, "&quot;", 6) != 0)
            reader->problem = "an entity";
        reader->at += length > 0 ? length : 1;
    }
}

static void attributes(struct reader *reader, const char *allowed)
{
    while (*reader->at == ' ' && reader->problem == NULL) {
        char name[32], framed[34];

        reader->at++;
        word(reader, name, sizeof name);
        snprintf(framed, sizeof framed, " %s ", name);
        if (strstr(allowed, framed) == NULL || strncmp(reader->at, "=\"", 2) != 0) {
            reader->problem = "an attribute";
            return;
        }
        reader->at += 2;
        characters(reader, '"');
        if (*reader->at == '"')
            reader->at++;
        else
            reader->problem = "a value without end";
    }
}

static void element(struct reader *reader)
{
    char name[24];
    bool closes = reader->at[1] == '/';

    reader->at += closes ? 2 : 1;
    word(reader, name, sizeof name);
    if (attributes_of(name) == NULL) {
        reader->problem = "an element";
    } else if (closes) {
        if (reader->depth == 0 || strcmp(reader->open[--reader->depth], name) != 0)
            reader->problem = "an end";
    } else {
        attributes(reader, attributes_of(name));
        reader->elements++;
        if (*reader->at == '/')
            reader->at++;
        else if (reader->depth < 16)
            strcpy(reader->open[reader->depth++], name);
    }
    if (reader->problem == NULL && *reader->at++ != '>')
        reader->problem = "a tag without end";
}

/* The number of elements; a report where it is no well-formed SVG. */
static int read_svg(const char *text, int sample)
{
    struct reader reader = {.at = strstr(text, "<svg ")};

    if (!CHECK(reader.at != NULL))
        return 0;
    while (*reader.at != '\0' && reader.problem == NULL) {
        if (*reader.at == '<')
            element(&reader);
        else
            characters(&reader, '<');
    }
    CHECK_TRUE(reader.problem == NULL && reader.depth == 0, "chart %d: %s, depth %d, before: %.60s",
               sample, reader.problem == NULL ? "open elements" : reader.problem, reader.depth,
               reader.at);
    return reader.elements;
}

/* A slide, and what rows need that have no room on one. */
static double height_of(const struct chart *chart)
{
    return chart->rows > 26 ? 720 + 17.6 * (chart->rows - 26) : 720;
}

TEST(well_formed)
{
    for (int s = 0; s < SAMPLE_CHARTS; s++) {
        struct chart chart;
        char size[80];
        char *text;

        sample_chart((enum sample_chart)s, &chart);
        text = svg_of(&chart);
        read_svg(text, s);
        CHECK_TRUE(strncmp(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39) == 0,
                   "chart %d", s);
        snprintf(size, sizeof size, "version=\"1.1\" width=\"1280\" height=\"%.0f\" ",
                 height_of(&chart));
        CHECK_TRUE(strstr(text, size) != NULL, "chart %d: expected %s in %.400s", s, size, text);
        free(text);
        chart_free(&chart);
    }
}

/* Every coordinate is a number on the slide or not far from it. */
TEST(coordinates)
{
    static const char *const names[] = {" x=\"",  " y=\"",  " x1=\"",     " y1=\"",
                                        " x2=\"", " y2=\"", " height=\"", " width=\""};

    for (int s = 0; s < SAMPLE_CHARTS; s++) {
        struct chart chart;
        char *text;

        sample_chart((enum sample_chart)s, &chart);
        text = svg_of(&chart);
        CHECK_TRUE(strstr(text, "nan") == NULL && strstr(text, "inf\"") == NULL &&
                       strstr(text, "inf,") == NULL,
                   "chart %d: %s", s, text);
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            for (const char *at = strstr(text, names[n]); at != NULL;
                 at = strstr(at + 1, names[n])) {
                double value = strtod(at + strlen(names[n]), NULL);

                CHECK_TRUE(value >= 0 && value <= fmax(1280, ceil(height_of(&chart))),
                           "chart %d: %.40s", s, at);
            }
        free(text);
        chart_free(&chart);
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* What tells looks apart without colour: dashes of curves, patterns of spans. */
TEST(without_colour)
{
    struct chart chart;
    char *text;

    sample_chart(SAMPLE_ROOFS, &chart);
    text = svg_of(&chart);
    CHECK_INT(count_of(text, "stroke-dasharray=\"10,4\""), 2);
    CHECK_INT(count_of(text, "stroke-dasharray=\"3,3\""), 2);
    CHECK(strstr(text, ">recon-2</text>") != NULL);
    CHECK(strstr(text, ">Title &lt;&amp;&gt; \xC2\xB5</text>") != NULL);
    CHECK(strstr(text, ">a note \xC2\xB7 of conditions</text>") != NULL);
    CHECK(strstr(text, ">10 TFLOP/s</text>") != NULL);
    CHECK(strstr(text, ">intensity, FLOP/B</text>") != NULL);
    free(text);
    chart_free(&chart);
    sample_chart(SAMPLE_BARS, &chart);
    text = svg_of(&chart);
    for (int look = LOOK_MEMORY; look <= LOOK_LINK; look++) {
        char used[32];

        snprintf(used, sizeof used, "fill=\"url(#fill-%d)\"", look);
        CHECK_TRUE(count_of(text, used) == 2, "%s: %d", used, count_of(text, used));
    }
    CHECK_INT(count_of(text, "<pattern "), 4);
    CHECK(strstr(text, ">target 175 \xC2\xB5s</text>") != NULL);
    free(text);
    chart_free(&chart);
}

/* All 4096, and one more of the legend for each look. */
TEST(every_span)
{
    struct chart chart;
    char *text;

    sample_chart(SAMPLE_SPANS, &chart);
    text = svg_of(&chart);
    CHECK_INT(count_of(text, "fill=\"url(#fill-1)\""), 2048 + 1);
    CHECK_INT(count_of(text, "fill=\"#0072b2\" stroke"), 2048 + 1);
    CHECK(strstr(text, ">row-63</text>") != NULL);
    free(text);
    chart_free(&chart);
}

TEST(escapes)
{
    struct chart chart;
    char *text;

    chart_init(&chart, "a<b>&\"'\x01\x7F\xC2\x85\xEF\xBF\xBF\xFF\xC2\xB5\n");
    text = svg_of(&chart);
    CHECK(strstr(text, "<title>a&lt;b&gt;&amp;&quot;'????\xEF\xBF\xBD\xC2\xB5?</title>") != NULL);
    free(text);
    chart_free(&chart);
}

/* The boxes of labels, and of bars and labels, in the order of the file. */
static int boxes_of(const char *text, bool bars, double box[][4], int most)
{
    int count = 0;

    for (const char *at = strstr(text, "<rect x="); at != NULL; at = strstr(at + 1, "<rect x=")) {
        char line[300];
        bool label, bar;

        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        label = strstr(line, "fill-opacity") != NULL;
        bar = strstr(line, "stroke-width=\"1\"") != NULL ||
              strstr(line, "stroke-width=\"0.25\"") != NULL;
        if ((label || (bars && bar)) && count < most &&
            sscanf(line, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &box[count][0],
                   &box[count][1], &box[count][2], &box[count][3]) == 4)
            count++;
    }
    return count;
}

/* Labels cover neither bars nor each other. */
TEST(labels_cover_nothing)
{
    enum { MOST = 5000 };
    static double label[MOST][4], all[MOST][4];
    int found = 0;

    for (int s = 0; s < SAMPLE_CHARTS; s++) {
        struct chart chart;
        char *text;
        int labels, boxes;

        sample_chart((enum sample_chart)s, &chart);
        text = svg_of(&chart);
        labels = boxes_of(text, false, label, MOST);
        boxes = boxes_of(text, true, all, MOST);
        found += labels;
        for (int l = 0; l < labels; l++) {
            int over = 0;

            for (int b = 0; b < boxes; b++)
                over += label[l][0] < all[b][0] + all[b][2] - 0.1 &&
                        all[b][0] < label[l][0] + label[l][2] - 0.1 &&
                        label[l][1] < all[b][1] + all[b][3] - 0.1 &&
                        all[b][1] < label[l][1] + label[l][3] - 0.1;
            CHECK_TRUE(over == 1, "chart %d: the label at %g, %g overlaps %d", s, label[l][0],
                       label[l][1], over - 1); /* itself */
        }
        free(text);
        chart_free(&chart);
    }
    CHECK_TRUE(found > 3, "%d labels", found);
}

struct written {
    double x, y, size;
    bool ends; /* at x; else it starts there */
    char text[200];
};

/* The texts of a picture, in the order of the file. */
static int texts_of(const char *svg, struct written *text, int most)
{
    int count = 0;

    for (const char *at = strstr(svg, "<text x="); at != NULL && count < most;
         at = strstr(at + 1, "<text x=")) {
        char anchor[8], rest[40];

        if (sscanf(at,
                   "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" fill=\"%*[^\"]\" "
                   "text-anchor=\"%7[a-z]\"%39[^>]>%199[^<]",
                   &text[count].x, &text[count].y, &text[count].size, anchor, rest,
                   text[count].text) != 6 &&
            sscanf(at,
                   "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" fill=\"%*[^\"]\" "
                   "text-anchor=\"%7[a-z]\">%199[^<]",
                   &text[count].x, &text[count].y, &text[count].size, anchor,
                   text[count].text) != 5)
            continue;
        text[count].ends = strcmp(anchor, "end") == 0;
        count++;
    }
    return count;
}

/* The list beside the plot has aligned lines, within the page, that do not overlap: as many as have
 * room, and the number of the others. Each number is in the plot. */
TEST(list_of_names)
{
    enum { MOST = 300 };
    static struct written text[MOST];
    struct chart chart;
    char *svg;
    double at = 0, y = 0, right = 0;
    int count, listed = 0, more = 0, heading = -1;

    sample_chart(SAMPLE_KEY, &chart);
    svg = svg_of(&chart);
    count = texts_of(svg, text, MOST);
    for (int t = 0; t < count; t++)
        if (strncmp(text[t].text, "host, card, ", 12) == 0)
            heading = t;
    if (CHECK(heading > 0)) {
        at = text[heading].x;
        y = text[heading].y;
        right = text[heading - 1].x;
        CHECK_STR(text[heading - 1].text, "#");
    }
    for (int t = heading + 1; t < count && text[t].y > y; t++) {
        bool is_number = text[t].ends;

        CHECK_NEAR(text[t].x, is_number ? right : at, 0);
        CHECK_TRUE(text[t].x + 0.58 * text[t].size * (is_number ? 0 : text_width(text[t].text)) <=
                       1280 - 40 + 1,
                   "%s", text[t].text);
        if (is_number)
            continue;
        CHECK_TRUE(text[t].y >= y + 1.2 * text[t].size && text[t].y < 720 - 100, "%s at %g",
                   text[t].text, text[t].y);
        y = text[t].y;
        if (sscanf(text[t].text, "and %d more", &more) == 1)
            break;
        CHECK_INT(atoi(text[t - 1].text), ++listed);
    }
    CHECK_TRUE(listed > 20 && more > 0, "%d, %d more", listed, more);
    CHECK_INT(listed + more, 40);
    for (int n = 1; n <= 40; n++) {
        int seen = 0;
        char number[16];

        snprintf(number, sizeof number, "%d", n);
        for (int t = 0; t < heading; t++)
            seen += text[t].x < right && text[t].size == 15 && strcmp(text[t].text, number) == 0;
        CHECK_TRUE(seen == 1, "number %d: %d", n, seen);
    }
    free(svg);
    chart_free(&chart);
}

/* A sentence instead of a plot, in lines within the page. */
TEST(message)
{
    enum { MOST = 20 };
    static struct written text[MOST];
    struct chart chart;
    char *svg;
    int count, lines = 0;

    sample_chart(SAMPLE_KEY, &chart);
    chart_message(&chart, "No design is left: %s, %s, %s.",
                  "12 need more PCIe lanes than the host has", "1234 with a part for another host",
                  "56 miss max_frame_rate >= 1000000 Hz");
    svg = svg_of(&chart);
    count = texts_of(svg, text, MOST);
    for (int t = 0; t < count; t++)
        lines += text[t].y > 300 && text[t].y < 450 &&
                 text[t].x - 0.58 / 2 * text[t].size * (double)strlen(text[t].text) > 20;
    CHECK_INT(lines, 2);
    CHECK(strstr(svg, ">No design is left: 12 need ") != NULL);
    CHECK(strstr(svg, "<path") == NULL);
    free(svg);
    chart_free(&chart);
}
