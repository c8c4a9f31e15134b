#include "check.h"

extern const struct suite suite_csv;
extern const struct suite suite_preset_data;

const struct suite *const check_suites[] = {
    &suite_csv,
    &suite_preset_data,
    NULL,
};
