#include "workload_demands.h"

/* Leaky integrator with offsets, clipping and a power (inter-actuator stroke) limit. */
void demand_integrator(const struct workload_input *in, struct demand *demand)
{
    double scale = in->element / SINGLE;

    for (int id = OPERATION_OFFSET; id <= OPERATION_POWER; id++) {
        demand->stream.flop += operations[id].flop * in->actuators;
        demand->stream.read += operations[id].bytes / 2 * scale * in->actuators;
        demand->stream.written += operations[id].bytes / 2 * scale * in->actuators;
        if (id > OPERATION_OFFSET) /* what the operation before has made */
            demand->again += operations[id].bytes / 2 * scale * in->actuators;
    }
    demand->output = in->element * in->actuators;
}

/* The integrator, and two operations each for the proportional and the derivative term; the error
 * before is read and the new one kept. */
void demand_pid(const struct workload_input *in, struct demand *demand)
{
    demand_integrator(in, demand);
    demand->stream.flop += 4 * in->actuators;
    demand->stream.read += in->element * in->actuators;
    demand->stream.written += in->element * in->actuators;
}

/* What the commands do to the next measurement is a product with a matrix of `rows` x M that only
 * the next frame needs, so it waits until the command is out. */
static void pseudo_open_loop(const struct workload_input *in, double rows, struct demand *demand)
{
    demand_integrator(in, demand);
    demand->deferred.flop = 2 * rows * in->actuators;
    demand->deferred.resident = in->element * rows * in->actuators;
    demand->block = in->actuators;
    demand->kernels = 2; /* add what the mirrors did, integrate */
    demand->deferred_kernels = 1;
}

/* Pseudo open loop control (Ellerbroek and Vogel, Proc. SPIE 5169, 206, 2003; Gilles, Appl. Opt.
 * 44, 993, 2005): the mirrors' own part is added before the integrator. With the reconstruction of
 * the mirrors' slopes folded into one matrix this is M x M. */
void demand_polc(const struct workload_input *in, struct demand *demand)
{
    pseudo_open_loop(in, in->actuators, demand);
}

/* The same in measurement space: the slopes the mirrors cause, by the S x M interaction matrix. */
void demand_polc_explicit(const struct workload_input *in, struct demand *demand)
{
    pseudo_open_loop(in, in->columns, demand);
}

/* Linear quadratic Gaussian control with a Kalman filter of n_x states (Le Roux et al., JOSA A 21,
 * 1261, 2004; Kulcsar et al., Opt. Express 14, 7464, 2006). Slopes update the state as they arrive:
 * the innovation and the gain, n_x x S each. The state is projected onto the actuators once it is
 * complete, and predicted (n_x x n_x) when the command is out. */
void demand_lqg(const struct workload_input *in, struct demand *demand)
{
    double gain = in->states * in->columns;
    double projection = in->actuators * in->states;
    double prediction = in->states * in->states;

    demand->stream.flop = 2 * 2 * gain;
    demand->stream.read = in->element * in->columns;
    demand->stream.written = in->element * in->states;
    demand->stream.resident = in->element * 2 * gain;
    demand->tail.flop = 2 * projection;
    demand->tail.read = in->element * in->states;
    demand->tail.written = in->element * in->actuators;
    demand->tail.resident = in->element * projection;
    demand->deferred.flop = 2 * prediction;
    demand->deferred.read = in->element * in->states;
    demand->deferred.written = in->element * in->states;
    demand->deferred.resident = in->element * prediction;
    demand->block = in->columns;
    demand->tail_kernels = 1;
    demand->output = in->element * in->actuators;
}
