/* A pipeline of daolite, read from its JSON or YAML.
 *
 * The format is that of the program's documentation (daolite.readthedocs.io: JSON pipeline runner,
 * compute resources, pages of the components), of its example config_example.json and of the files
 * that its pipeline designer saves:
 *
 *   components    list of {type, name, params, compute, dependencies, parent_name, gpu_parent_name}
 *   connections   list of {start, end, transfers}
 *   transfers     list of {type, name, source, destination, data_size, params}
 *   containers    list of {name, resource_name, compute, gpu_boxes}
 *   simulation    {readout_time, frame_rate, bit_depth, n_groups}: values for all components
 *
 * `compute` is the name of a factory (amd_epyc_7763), a map of values, or the path of a YAML file
 * of such values, relative to the pipeline. A file with `camera` and `optics` instead of
 * `components` is a system configuration (ao_config.yaml), from which the usual five components are
 * made. */
#ifndef AOLAG_IMPORT_DAOLITE_H
#define AOLAG_IMPORT_DAOLITE_H

#include <stdbool.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"
#include "import/resource.h"
#include "import/values.h"

/* daolite's defaults, as its outputs show them or its documentation states them. */
#define DAOLITE_GROUPS 50
#define DAOLITE_BIT_DEPTH 16
#define DAOLITE_PIXELS 1048576
#define DAOLITE_SUBAPS 6400
#define DAOLITE_ACTUATORS 5000
#define DAOLITE_CORES 16

enum daolite_type {
    DAOLITE_CAMERA,
    DAOLITE_CALIBRATION,
    DAOLITE_CENTROIDER,
    DAOLITE_RECONSTRUCTION,
    DAOLITE_CONTROL,
    DAOLITE_DM,
    DAOLITE_NETWORK,
    DAOLITE_PCIE,
    DAOLITE_TYPES
};

struct daolite_component {
    enum daolite_type type;
    char name[NAME_MAX_LENGTH + 1]; /* in the scenario */
    char origin[ENTRY_ORIGIN_MAX];  /* `components[2] "centroider"` */
    char title[64];                 /* name in the file */
    const struct node *node;        /* its entry; NULL in a system configuration */
    int line;
    int machine;         /* -1: none */
    int packets;         /* of a frame */
    double *agenda;      /* elements of each packet: pixels, subapertures; [packets]; NULL: even */
    int agenda_line;     /* of its list */
    struct stated group; /* packets, as stated */
    struct stated pixels, subaps, slopes, actuators;
    struct stated subap_pixels;                    /* the number of them in a subaperture */
    const struct daolite_camera_row *kind;         /* of a camera */
    struct stated readout, offset;                 /* s */
    struct stated frame_rate, bit_depth;           /* Hz, bit */
    int shutter;                                   /* enum shutter; -1: not stated */
    struct stated share, flop_scale, memory_scale; /* fractions */
    struct stated overhead;                        /* s */
    double stated_width, stated_height; /* px, of a detector that has to be larger; else 0 */
    struct stated count;                /* equal sensors of a camera */
    struct stated modes;                /* of the mirror, as a reconstruction states */
    struct stated workers;              /* cores */
    const char *algorithm;       /* of this program, by the centroider's function; NULL: cog */
    const struct node *chosen;   /* what states it; NULL: nothing */
    const char *chosen_in;       /* its section, else NULL */
    struct stated density;       /* nonzero fraction of a matrix; 0: dense */
    struct stated actuator_bits; /* of a mirror */
    struct stated bits, speed;   /* of a transfer, bit and bit/s */
    struct stated size;          /* its data_size, in whatever unit */
    struct stated pcie_gen, pcie_lanes; /* of a transfer */
    int after[COMPONENT_MAX];           /* predecessors in the order of the file */
    int after_count;
    int camera; /* whose pixels it works on, the first if several; -1: none */
};

struct daolite {
    char title[TEXT_MAX_LENGTH + 1];
    bool is_system; /* a system configuration, of which components are made */
    int component_count, machine_count;
    struct daolite_component component[COMPONENT_MAX]; /* each behind its predecessors */
    struct resource machine[DEVICE_MAX];
    struct problems lost;    /* what the scenario does not contain, by line */
    struct problems assumed; /* what the file does not state, by line */
};

/* Reads compute resources from a file named by a pipeline. */
struct daolite_files {
    /* Reads a file of values into an empty tree; the error names it. */
    enum status (*read)(void *context, const char *path, struct values *tree, struct error *error);
    void *context;
};

/* Reads a pipeline into zeroed memory, which daolite_free frees in any case. `files` NULL: files
 * that it names are refused. On failure `problems` has one sentence for each thing that is wrong:
 * entry, key, value, what is allowed. */
enum status daolite_read(struct daolite *daolite, const struct values *tree,
                         const struct daolite_files *files, struct problems *problems);
void daolite_free(struct daolite *daolite);

/* Returns the component whose agenda divides the frames of a camera into packets: the first with
 * one in pixels, else in subapertures; NULL if there is none. */
const struct daolite_component *daolite_agenda(const struct daolite *daolite, int camera);

/* A camera of daolite: its readout by default, us, what that is multiplied by, and what a frame's
 * packets are late beside it, us. */
struct daolite_camera_row {
    const char *name;
    double readout, factor, offset;
};

/* Returns the camera of a camera_function; NULL: daolite has none of this name. */
const struct daolite_camera_row *daolite_camera(const char *name);

/* Returns "CAMERA", ... */
const char *daolite_type_name(enum daolite_type type);

#endif
