# A machine that does not exist: L1 32 KiB 1 ns, L2 1 MiB 4 ns, L3 32 MiB 12 ns, memory 80 ns;
# lines of 64 B, 8 and 16 ways, a TLB of 64 and of 2048 pages.
function point(part, name, type, size, bits, chains, cores, ahead, block, alpha, share, flush, remark, ns,    k, s) {
    s = ""
    size = size == "" ? "" : sprintf("%.0f", size)
    for (k = 0; k < 5 && ns > 0; k++)
        s = s (k ? " " : "") sprintf("%.6g", ns * (1 + 0.01 * k) * 1e-9)
    printf "%s,%s,%s,,%s,%s,%s,%s,%s,%s,%s,%s,%s,,,,,,,,,%s,%s\n", part, name, type, size, bits, chains, cores, ahead, block, alpha, share, flush, remark, s
}
# a delay with real-time priority or without ("": of neither)
function delay(name, type, size, cores, idle, burst, realtime, remark, us,    k, s) {
    for (k = 0; k < 5 && us > 0; k++)
        s = s (k ? " " : "") sprintf("%.6g", us * (1 + 0.01 * k) * 1e-6)
    printf "dispatch,%s,%s,,%s,,,%s,,,,,,,,,,,%s,%s,%s,%s,%s\n", name, type, size, cores, idle, burst, realtime, remark, s
}
function level(size) { return size <= 32768 * 1.01 ? 1 : size <= 1048576 * 1.01 ? 2 : size <= 33554432 * 1.01 ? 3 : 4 }
BEGIN {
    split("1 4 12 80", latency, " ")
    split("100 60 30 10", rate, " ")
    split("add mul fma-addend fma-multiplier max div-numerator div-denominator sqrt", operation, " ")
    split("4 4 4 4 2 13 13 18", cycles, " ")
    print "# cpu: A machine of the tests"
    print "# cores: 2 usable"
    print "# caches: L1 32 KiB, L2 1024 KiB, L3 32768 KiB"
    print "# seed: 1"
    print "part,name,type,of,size_bytes,width_bits,chains,cores,ahead,block_words,alpha,subnormal_share,flush_to_zero,subapertures,side_px,pixels,rows,columns,idle_s,burst,realtime,remark,samples_s"
    for (i = 0; i <= 96; i++) {
        size = 4096 * 2 ^ (i / 6)
        for (chains = 1; chains <= 16; chains *= 2)
            point("memory", "chase", "", int(size / 64) * 64, "", chains, 1, "", "", "", "", "", "", latency[level(size)] / (chains > 8 ? 8 : chains))
    }
    for (size = 65536; size <= 268435456; size *= 16) {
        point("memory", "list", "", size, "", 1, 1, "", "", "", "", "", "", 1.2 * latency[level(size)])
        point("memory", "array", "", size, "", 1, 1, "", "", "", "", "", "", latency[level(size)] + 0.4)
        point("memory", "sequential", "", size, "", 1, 1, "", "", "", "", "", "", 1.1)
    }
    for (ahead = 0; ahead <= 32; ahead = ahead ? 2 * ahead : 1)
        point("memory", "prefetch", "", 268435456, "", 1, 1, ahead, "", "", "", "", "", 80 / (ahead > 15 ? 16 : ahead + 1))
    for (i = 0; i <= 24; i++)
        point("memory", "lines", "", 64 * int(64 * 2 ^ (i / 4)), "", "", "", "", "", "", "", "", "", i <= 12 ? 1 : 4)
    for (i = 1; i <= 32; i++)
        point("memory", "ways", "", 64 * i, "", "", "", "", 131072, "", "", "", "", i <= 8 ? 1 : i <= 16 ? 4 : 12)
    for (i = 0; i <= 40; i++) {
        size = 4096 * int(16 * 2 ^ (i / 4))
        point("memory", "pages-2m", "", size, "", "", "", "", "", "", "", "", "", i <= 20 ? 1 : 4)
        point("memory", "pages-4k", "", size, "", "", "", "", "", "", "", "", "", (i <= 20 ? 1 : 4) + (i <= 8 ? 0 : i <= 28 ? 2 : 20))
    }
    point("operations", "clock", "int", "", "", 1, 1, "", "", "", "", "", "", 0.3125)
    for (o = 1; o <= 8; o++)
        for (bits = 32; bits <= 256; bits = bits == 32 ? 128 : 2 * bits)
            for (chains = 1; chains <= 16; chains *= 2)
                if (operation[o] == "sqrt" && chains == 1)
                    point("operations", "sqrt", "f32", "", bits, 1, 1, "", "", "", "", "", "n/a: a chained square root drifts to 1", 0)
                else
                    point("operations", operation[o], "f32", "", bits, chains, 1, "", "", "", "", "", "", cycles[o] * 0.3125 / chains)
    for (o = 1; o <= 8; o++)
        for (bits = 32; bits <= 256; bits *= 8)
            for (size = 16384; size <= 67108864; size *= 16) {
                ns = bits / 8 / rate[level(size)]
                point("operations", operation[o], "f32", size, bits, 8, 1, "", "", "", "", "", "", cycles[o] * 0.3125 / 16 > ns ? cycles[o] * 0.3125 / 16 : ns)
            }
    for (flush = 0; flush <= 1; flush++)
        for (share = 0; share <= 1; share += 0.25)
            point("operations", "mul", "f32", "", 32, 8, 1, "", "", "", share, flush, "", flush ? 0.16 : 0.16 + 40 * share)
    for (cores = 1; cores <= 2; cores++)
        for (size = 16384; size <= 1073741824; size *= 16)
            for (o = 1; o <= 5; o++)
                point("bandwidth", o == 1 ? "read" : o == 2 ? "write" : o == 3 ? "copy" : o == 4 ? "triad" : "dot", "f32", cores * size, "", "", cores, "", "", "", "", "", "", 1 / rate[level(size)] / cores)
    point("bandwidth", "jitter", "f32", 1048576, "", "", 1, "", "", "", "", "", "", 0.02)
    split("1 0.5 0.25 0.1 0.05 0.025 0.01 0.005 0.0025 0.001", alpha, " ")
    for (a = 1; a <= 10; a++)
        for (block = 1; block <= 65536; block *= 4) {
            hit = (131072 / 67108864) ^ alpha[a]
            point("apex", "apex", "", 536870912, "", "", 1, "", block, alpha[a], "", "", "", hit * (4 + 0.3 * (block - 1)) / block + (1 - hit) * (80 + 0.8 * (block - 1)) / block)
        }
    for (realtime = 0; realtime <= 1; realtime++) {
        delay("launch", "spin", "", "", "", "", realtime, "", 0.3)
        delay("launch", "wake", "", "", "", "", realtime, "", 5 - realtime)
        delay("process", "spin", "", "", "", "", realtime, "", 0.4)
        delay("process", "wake", "", "", "", "", realtime, "", 5.5)
        delay("handover", "spin", 4096, "", "", "", realtime, "", 1.2)
        delay("handover", "wake", 4096, "", "", "", realtime, "", 6.4)
        for (ms = 1; ms <= 20; ms = ms == 2 ? 5 : 2 * ms)
            delay("launch", "wake", "", "", ms / 1000, "", realtime, "", 5 - realtime + 100 * (ms > 8 ? 1 : 0.12 * ms))
    }
    delay("barrier", "", "", 2, "", "", "", "", 0.5)
    for (size = 1472; size <= 8972; size += 7500) {
        for (realtime = 0; realtime <= 1; realtime++) {
            delay("ingress", "poll", size, "", "", 1, realtime, "", 2 + size / 8972)
            delay("egress", "poll", size, "", "", 1, realtime, "", 1 + size / 8972)
            delay("round-trip", "poll", size, "", "", 1, realtime, "", 12)
            delay("ingress", "poll", size, "", "", 16, realtime, "", 1.8)
            delay("ingress", "sleep", size, "", "", 1, realtime, "", 7)
            delay("ingress", "card", size, "", "", 1, realtime, "n/a: no queue of a network card to poll", 0)
        }
        delay("receive", "", size, "", "", 1, "", "", 1.1)
        delay("receive", "", size, "", "", 32, "", "", 0.8)
        delay("send", "", size, "", "", 1, "", "", 3)
        delay("send", "", size, "", "", 32, "", "", 2.2)
    }
}
