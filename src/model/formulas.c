#include "model/formulas.h"

#define FORMULA(name, parameters, expression) const char formula_text_##name[] = #expression;
#include "model/formulas.def"

#define COUNT(field, expression) .field = #expression,
#define LET(name, value)

const struct demand_text workload_texts[ALGORITHM_COUNT] = {
#define WORKLOAD(algorithm, counts) [ALGORITHM_##algorithm] = {counts},
#include "model/formulas.def"
};

#define COUNT(field, expression) .field = #expression,
#define LET(name, value)

const struct demand_text workload_reference_slopes_text = {
#define REFERENCE_SLOPES(counts) counts
#include "model/formulas.def"
};
