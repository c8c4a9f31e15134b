/* Runs a file of cases of the model: designs, and what their results come to.
 *
 *     # a comment
 *     let pcie = 14.4e9                 a number for the expressions below
 *     define board NAME                 lines to be repeated: "board gpu0" plays them
 *       add device $NAME
 *       device.$NAME.kind = gpu
 *     end
 *     case to a board and back          forgets the design and the numbers of the case before
 *       start chain                     sample_chain; "empty", "round NAME" (sample_round_device),
 *                                       "system NAME" (a preset)
 *       board gpu0
 *       component.recon.device = gpu0   a knob, as in a scenario file
 *       scenario.frame_rate := 0.5 * max_frame_rate    a knob, as a number in SI
 *       expect recon.time = 4 * 152 / pcie within 1e-9
 *       expect limit is recon
 *
 * Other lines:
 *     add round NAME, add component NAME TYPE [at N], add wfs NAME, remove component NAME
 *     device NAME PRESET             a preset of a device
 *     ideal                          partitioned, no fixed times of devices, ports and copies so far
 *     trace NAME | ROW ROW...        a program's, as in its file
 *     expect A = B [within R]        R relative, of 0 absolute; 1e-12 when it is left out
 *     expect A = B exactly           also <, >, <=, >=
 *     expect A is WORDS              A: limit, verdict (model/verdict.h), bound, bound_node, bound_for,
 *                                    nodes, links, overloads (of flow_sentence, or none),
 *                                    NODE.bound, NODE.path_bound, NODE.level
 *     expect fresh                   a new result has the same, bit for bit
 *     absent NODE                    there is no such component or transfer
 *     accepted                       evaluate has nothing against it
 *     refused SENTENCE               evaluate says so
 *     rejected PATH = VALUE: SENTENCE    the knob cannot be set
 *     each NAME | NAME ...           the lines up to "end" for each row of the table that follows:
 *       | VALUE | VALUE ...
 *       PATH = $NAME                  or ${NAME}, as in rtc.${level}_latency
 *     end
 *
 * Arguments of a definition are parted by " | ", or by blanks where there is no " | ". Expressions
 * are those of model/expression.h; names are results ("latency", "recon.time", "rtc.busy",
 * "wfs.ngs.valid_subaps", "loop.tau_total"), knobs, numbers of let, none (no value), and:
 *     last_pixel limit_busy overloaded queued node_count link_count wfs_count dm_count path_count
 *     path_length (waiting and busy on the critical path) bound_node
 *     NODE.part NODE.parts NODE.component NODE.device NODE.path (its part of that) NODE.held
 *     NODE.latency (after its time)
 *     NODE.weight.N (of packet N)  link.NAME.busy  dm.NAME.latency  dm.NAME.arrival
 *     DEVICE.peak.PRECISION (FLOP/s)  memory.DEVICE.count  memory.DEVICE.LEVEL.capacity, .bandwidth
 *     and .latency, as the model counts a level, of all cores; memory.DEVICE.N.LEVEL...: of N
 *     carried.RESOURCE, .background, .capacity and .load (model/flow.h), carried.streams
 *     latency_beside (background_latency)
 *     roof.DEVICE.NODE.KEY  ceiling.DEVICE.NAME.KEY (data/designs/roofs.txt)
 *
 * A line that is none of these, a case that expects nothing and a file without cases fail. */
#ifndef AOLAG_DESIGNS_H
#define AOLAG_DESIGNS_H

/* A file of tests/data/designs. */
void designs_run(const char *name);

/* One whose every case fails exactly once. */
void designs_run_broken(const char *name);

#endif
