#!/usr/bin/env bash
# Records how often compiled kernels miss in valgrind's caches: ./record.sh > callgrind.csv
#
# Arrays are volatile, so that every access of the source is made, in its order, and no other; -O1
# keeps scalars and addresses in registers, so that the stack is touched on entry and return alone.
# callgrind's caches are warm when counting begins: something larger is read before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# kernel, function, sizes, arrays with their numbers of elements, call
record() {
  local kernel=$1 function=$2 sizes=$3 arrays=$4 call=$5 macros=() name text
  for name in $sizes; do [[ $name == [A-Z]* ]] && macros+=("-D$name"); done
  {
    echo '#include <stdio.h>'
    echo '#define double volatile double'
    echo "#include \"$PWD/../kernels/c/$kernel.c\""
    for name in $arrays; do
      echo "static double memory_${name%%:*}[${name##*:}] __attribute__((aligned(4096)));"
    done
    echo 'static volatile char larger[1 << 22] __attribute__((aligned(4096)));'
    echo 'int main(void) {'
    for name in $arrays; do
      name=${name%%:*}
      echo "  printf(\"$name=%lu \", (unsigned long)memory_$name);"
    done
    echo '  for (int i = 0; i < 1 << 22; i += 16) larger[i];'
    echo "  $call;"
    echo '  return 0;'
    echo '}'
  } > "$folder/driver.c"
  gcc -std=c99 -O1 -fno-inline -no-pie -w "${macros[@]}" -o "$folder/driver" "$folder/driver.c"
  local cache bases totals
  bases=$("$folder/driver")
  for cache in 32768,8,64 16384,2,64 8192,1,64 4096,64,64; do
    rm -f "$folder/out"
    valgrind --tool=callgrind --cache-sim=yes --collect-atstart=no "--toggle-collect=$function" \
      "--D1=$cache" "--callgrind-out-file=$folder/out" "$folder/driver" > "$folder/log" 2>&1
    grep -q '^events: Ir Dr Dw I1mr D1mr D1mw' "$folder/out"
    totals=$(sed -n 's/^totals: //p' "$folder/out")
    set -- $totals
    echo "$kernel;$function;$sizes;${bases% };$cache;$2;$3;$5;$6"
  done
}

echo 'kernel;function;sizes;bases;cache;loads;stores;load_misses;store_misses'
record micro/mxm_ijk mxm_ijk 'n=60' 'a:3600 b:3600 c:3600' \
  'mxm_ijk(60, (void *)memory_a, (void *)memory_b, (void *)memory_c)'
record micro/transpose transpose 'n=150' 'a:22500 b:22500' \
  'transpose(150, (void *)memory_a, (void *)memory_b)'
record jacobi-2d kernel_jacobi_2d 'N=90 TSTEPS=1' 'A:8100 B:8100' \
  'kernel_jacobi_2d((void *)memory_A, (void *)memory_B)'
record atax kernel_atax 'M=90 N=110' 'A:9900 x:110 y:110 tmp:90' \
  'kernel_atax((void *)memory_A, memory_x, memory_y, memory_tmp)'
