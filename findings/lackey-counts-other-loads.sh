#!/bin/sh
# valgrind's lackey: its trace has loads missing and instructions that were never executed.
#
# Expected: with --trace-mem=yes, which "prints a trace of all memory accesses" and of instructions, a
# loop of 1000 rounds with four loads to one register prints 4000 loads; a comparison that a taken jump
# skips prints none; rep movsb of 1000 bytes is one instruction; a prefetch is an access or is named.
# Seen: valgrind optimises each block before its tool sees it. Of the four loads the three whose result
# is overwritten in the block are gone, as is a test whose other operand is 0. The right side of an &&
# (two conditional jumps to one place, no access between) is executed in advance, so that lackey prints
# 1000 comparisons and 1000 jumps that the program skips. --vex-iropt-level=0 restores the loads and
# --vex-guest-chase=no removes the others; either takes no longer. rep movsb is an instruction and two
# accesses for each byte; a prefetch is an instruction without an access, with any option.
#
# valgrind 3.19.0 (Debian 12, 1:3.19.0-1); 3.24.0 (Debian 13) is the same. Needs gcc, x86-64 and a
# Debian 12 with that package to download.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
apt-get download -q valgrind=1:3.19.0-1 >/dev/null 2>&1
dpkg-deb -x valgrind_*.deb .
cat >program.c <<'END'
static char from[4096], to[4096];
#define BLOCK(name, code) \
    __asm__ volatile("mov $1000, %%r8d\n.globl " name "\n" name ": " code "\ndec %%r8d\njnz " name "\n" \
                     name "_end: nop\n.globl " name "_end\n" \
                     ::"r"(from), "r"(to) : "memory", "cc", "rax", "rcx", "rsi", "rdi", "r8")
int main(void)
{
    BLOCK("four_loads", "movzbl (%0), %%eax; movzbl 64(%0), %%eax; movzbl 128(%0), %%eax; movzbl 192(%0), %%eax");
    BLOCK("test_of_zero", "xor %%eax, %%eax; test %%eax, (%0)");
    BLOCK("skipped_by_and", "xor %%ecx, %%ecx; test %%ecx, %%ecx; jz 2f; cmp $7, %%eax; jz 2f; nop; 2:");
    BLOCK("prefetch", "prefetcht0 (%0)");
    __asm__ volatile(".globl rep_movsb\nrep_movsb: rep movsb\nrep_movsb_end: nop\n.globl rep_movsb_end"
                     : : "S"(from), "D"(to), "c"(1000) : "memory");
    return 0;
}
END
gcc -O1 -static -no-pie -o program program.c
nm program | awk '{ print $1, $3 }' >symbols

# Prints the instructions and accesses that the trace has between each label and its end.
trace() {
    VALGRIND_LIB=$directory/usr/libexec/valgrind usr/bin/valgrind --tool=lackey --trace-mem=yes \
        --basic-counts=no --log-fd=9 "$@" ./program 9>trace
    sort symbols | awk '
        function number(text,    n, i) {
            for (i = 1; i <= length(text); i++)
                n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
            return n
        }
        FNR == NR { at[$2] = number($1); next }
        FNR == 1 { count = split("four_loads test_of_zero skipped_by_and prefetch rep_movsb", name) }
        /^I/ {
            split($2, place, ",")
            here = 0
            address = number(place[1])
            for (i = 1; i <= count; i++)
                if (address >= at[name[i]] && address < at[name[i] "_end"])
                    instructions[here = i]++
        }
        /^ [LSM]/ && here { accesses[here]++ }
        END {
            for (i = 1; i <= count; i++)
                printf "%s %d instructions %d accesses\n", name[i], instructions[i], accesses[i]
        }' - trace
}
{
    trace
    echo with both options
    trace --vex-iropt-level=0 --vex-guest-chase=no
} | tee seen
diff seen - <<'END' && echo "as found: loads are missing, instructions are too many"
four_loads 6000 instructions 1000 accesses
test_of_zero 4000 instructions 0 accesses
skipped_by_and 7000 instructions 0 accesses
prefetch 3000 instructions 0 accesses
rep_movsb 1001 instructions 2000 accesses
with both options
four_loads 6000 instructions 4000 accesses
test_of_zero 4000 instructions 1000 accesses
skipped_by_and 5000 instructions 0 accesses
prefetch 3000 instructions 0 accesses
rep_movsb 1001 instructions 2000 accesses
END
