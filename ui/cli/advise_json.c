#include "cli/advise_text.h"
#include "cli/json.h"

#define ADVISE_SCHEMA 1
#define US 1e6

static const char *const roles[] = {[ROLE_PART] = "part",
                                    [ROLE_SETTING] = "setting",
                                    [ROLE_INSTRUMENT] = "instrument",
                                    [ROLE_PROPERTY] = "property"};

static const char *const ways[] = {"down", "choice", "up"};

static void put_verdict(struct json *json, const struct verdict *verdict)
{
    json_number(json, "latency_us", verdict->latency * US);
    json_number(json, "first_pixel_latency_us", verdict->first_pixel * US);
    json_number(json, "max_frame_rate_hz", verdict->max_frame_rate);
    json_number(json, "load", verdict->load);
    json_bool(json, "overloaded", verdict->overloaded);
    json_bool(json, "met", verdict->met);
    if (verdict->bound[0] == '\0') {
        json_null(json, "bound");
        return;
    }
    json_object(json, "bound");
    json_text(json, "component", verdict->bound);
    json_text(json, "by", bound_name(verdict->by));
    json_object_end(json);
}

/* The knob and where it goes. */
static void put_move(struct json *json, const struct scenario *scenario, struct knob_ref ref,
                     int way, const char *from, const char *to)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    json_text(json, "path", path);
    json_text(json, "role", roles[ref.knob->role]);
    json_text(json, "way", ways[way + 1]);
    json_text(json, "from", from);
    json_text(json, "to", to);
}

static void put_step(struct json *json, const struct scenario *scenario, const struct advice *step)
{
    json_object(json, NULL);
    put_move(json, scenario, step->ref, step->way, step->from, step->to);
    json_number(json, "gain_us", step->gain * US);
    json_number(json, "elasticity", step->elasticity);
    json_bool(json, "slower", step->slower);
    json_bool(json, "later", step->later);
    put_verdict(json, &step->after);
    json_object_end(json);
}

static void put_steps(struct json *json, const char *key, const struct scenario *scenario,
                      const struct advice_list *list)
{
    json_array(json, key);
    for (int i = 0; i < list->count; i++)
        put_step(json, scenario, &list->at[i]);
    json_array_end(json);
}

static void put_split(struct json *json, const struct scenario *scenario,
                      const struct share_split *split)
{
    json_object(json, NULL);
    json_text(json, "device", split->device < 0 ? NULL : scenario->device[split->device].head.name);
    json_number(json, "gain_us", split->gain * US);
    put_verdict(json, &split->after);
    json_array(json, "shares");
    for (int i = 0; i < split->count; i++) {
        const struct share *share = &split->share[i];

        json_object(json, NULL);
        json_text(json, "component", scenario->component[share->component].head.name);
        json_number(json, "present", share->present);
        json_number(json, "best", share->best > 0 ? share->best : RESULT_NONE);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void put_count(struct json *json, const char *key, const struct packet_count *count)
{
    if (count->packets == 0) {
        json_null(json, key);
        return;
    }
    json_object(json, key);
    json_number(json, "packets", count->packets);
    json_number(json, "gain_us", count->gain * US);
    put_verdict(json, &count->after);
    json_object_end(json);
}

static void put_way(struct json *json, const struct scenario *scenario, enum reach_from from,
                    const struct reach_way *way)
{
    json_object(json, NULL);
    json_text(json, "of", reach_from_name(from));
    json_number(json, "gain_us", way->gain * US);
    json_bool(json, "exhausted", way->exhausted);
    put_verdict(json, &way->after);
    json_array(json, "steps");
    for (int i = 0; i < way->count; i++)
        put_step(json, scenario, &way->step[i]);
    json_array_end(json);
    json_object_end(json);
}

static void put_reach(struct json *json, const struct scenario *scenario, const struct reach *reach)
{
    json_object(json, "target");
    json_bool(json, "met", reach->met);
    json_array(json, "knobs");
    for (int i = 0; i < reach->count; i++) {
        const struct reach_knob *knob = &reach->knob[i];

        json_object(json, NULL);
        put_move(json, scenario, knob->ref, knob->way, knob->from, knob->to);
        json_number(json, "steps", knob->steps);
        put_verdict(json, &knob->after);
        json_object_end(json);
    }
    json_array_end(json);
    json_array(json, "sequences");
    for (int from = 0; from < REACH_COUNT && !reach->met; from++)
        put_way(json, scenario, (enum reach_from)from, &reach->way[from]);
    json_array_end(json);
    json_object_end(json);
}

static void put_packets(struct json *json, const struct packets *packets)
{
    json_object(json, "packets");
    json_number(json, "present", packets->present);
    put_count(json, "best", &packets->best);
    put_count(json, "fewest_within_1_percent", &packets->fewest);
    json_object_end(json);
}

void advise_print_json(FILE *out, const struct advise *advise, int parts)
{
    const struct scenario *scenario = &advise->design->scenario;
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", ADVISE_SCHEMA);
    json_text(&json, "title", scenario->general.title);
    json_number(&json, "target_latency_us", scenario->general.target_latency * US);
    put_verdict(&json, &advise->now);
    if (parts > ADVISE_STEPS) {
        put_steps(&json, "steps", scenario, &advise->choices);
        put_steps(&json, "sensitivity", scenario, &advise->given);
    } else {
        json_null(&json, "steps");
        json_null(&json, "sensitivity");
    }
    if (parts > ADVISE_REACH)
        put_reach(&json, scenario, &advise->reach);
    else
        json_null(&json, "target");
    if (parts > ADVISE_SHARES) {
        json_array(&json, "splits");
        for (int i = 0; i < advise->split_count; i++)
            put_split(&json, scenario, &advise->split[i]);
        json_array_end(&json);
    } else {
        json_null(&json, "splits");
    }
    if (parts > ADVISE_PACKETS)
        put_packets(&json, &advise->packets);
    else
        json_null(&json, "packets");
    json_object_end(&json);
}
