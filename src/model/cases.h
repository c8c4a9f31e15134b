/* The quantities of formulas.def that have cases; the model notes which case it took. */
#ifndef AOLAG_MODEL_CASES_H
#define AOLAG_MODEL_CASES_H

enum cases {
    CASES_NONE,
#define CASES(name, parameters, cases) CASES_##name,
#define DEVICE_CASES(name, parameters, cases) CASES_##name,
#define COMPONENT_CASES(name, parameters, cases) CASES_##name,
#include "model/formulas.def"
    CASES_COUNT
};

#endif
