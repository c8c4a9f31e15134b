#!/bin/sh
# capstone: the access flags of x86 operands say "read" for some stores.
#
# Expected: with CS_OPT_DETAIL, cs_x86_op.access, "how is this operand accessed", of a memory operand
# that an instruction only writes is CS_AC_WRITE for every form of store, so that a count of the memory
# traffic of a loop can rest on it.
# Seen: movaps [rax], xmm0 is a write; movups [rax], xmm0 and the non-temporal movnti [rdi], eax, the
# store of a streaming benchmark, are reads. A count that trusts the flag has their stores as loads.
# Whoever counts stores must know the direction of these instructions himself.
#
# libcapstone 4.0.2 (Debian 12, 4.0.2-5). Needs gcc, x86-64 and a Debian 12 with that package to
# download.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
apt-get download -q libcapstone4=4.0.2-5 libcapstone-dev=4.0.2-5 >/dev/null 2>&1
for package in *.deb; do
    dpkg-deb -x "$package" .
done
cat >program.c <<'END'
#include <capstone/capstone.h>
#include <stdio.h>

/* Prints the access of the first operand of one instruction. */
static void show(csh handle, const char *bytes, size_t size)
{
    cs_insn *insn;

    if (cs_disasm(handle, (const uint8_t *)bytes, size, 0, 1, &insn) != 1)
        return;
    const cs_x86_op *operand = &insn->detail->x86.operands[0];
    printf("%s %s:%s%s\n", insn->mnemonic, insn->op_str, operand->access & CS_AC_READ ? " read" : "",
           operand->access & CS_AC_WRITE ? " write" : "");
    cs_free(insn, 1);
}

int main(void)
{
    csh handle;

    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK ||
        cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
        return 1;
    show(handle, "\x0f\x29\x00", 3);
    show(handle, "\x0f\x11\x00", 3);
    show(handle, "\x0f\xc3\x07", 3);
    cs_close(&handle);
    return 0;
}
END
gcc -Iusr/include -o program program.c usr/lib/x86_64-linux-gnu/libcapstone.so.4
LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu ./program >seen
cat seen
cat >expected <<'END'
movaps xmmword ptr [rax], xmm0: write
movups xmmword ptr [rax], xmm0: read
movnti dword ptr [rdi], eax: read
END
diff expected seen
