struct pbound_function {
    const char *name;
    const char *where;
    const char *sizes; /* their names, each with a blank before it */
    int n_sizes;
    void (*run)(const int64_t *sizes);
};

static void pbound_cell(uint64_t least, uint64_t most, int is_open)
{
    char text[64];
    if (is_open)
        snprintf(text, sizeof text, "%" PRIu64 "..?", least);
    else if (least == most)
        snprintf(text, sizeof text, "%" PRIu64, least);
    else
        snprintf(text, sizeof text, "%" PRIu64 "..%" PRIu64, least, most);
    printf(" %15s", text);
}

static void pbound_line(const uint64_t *least, const uint64_t *most, int is_open, const char *where)
{
    for (int i = 0; i < 6; i++)
        pbound_cell(least[i], most[i], is_open);
    printf("  %s\n", where);
}

/* The sums of all places, each of these, and what was left out; whether something was. */
static int pbound_print(void)
{
    static struct pbound_site total;
    int is_open = 0;
    memset(&total, 0, sizeof total);
    for (int i = 0; i < pbound_n_sites; i++) {
        for (int k = 0; k < 6; k++) {
            pbound_count(&total.least[k], pbound_sites[i].least[k]);
            pbound_count(&total.most[k], pbound_sites[i].most[k]);
        }
        is_open |= pbound_sites[i].left_out != NULL;
    }
    printf(" %15s %15s %15s %15s %15s %15s\n", "integer loads", "integer stores", "fp loads", "fp stores",
           "integer ops", "fp ops");
    pbound_line(total.least, total.most, is_open, "total");
    for (int i = 0; i < pbound_n_sites; i++) {
        struct pbound_site *site = &pbound_sites[i];
        pbound_line(site->least, site->most, site->left_out != NULL, site->where);
    }
    for (int i = 0; i < pbound_n_sites; i++)
        if (pbound_sites[i].left_out)
            printf("left out: %s: %s\n", pbound_sites[i].where, pbound_sites[i].left_out);
    return is_open;
}

#ifndef PBOUND_NO_MAIN
static void pbound_usage(const char *program)
{
    fprintf(stderr, "usage:\n");
    for (int i = 0; i < PBOUND_FUNCTIONS; i++)
        fprintf(stderr, "  %s %s%s\n", program, pbound_functions[i].name, pbound_functions[i].sizes);
    exit(2);
}

/* [FUNCTION] SIZE...: the function may be left out where there is one alone. Exits 0, 2 on errors, 3 where
 * something was left out of the counts. */
int main(int argc, char **argv)
{
    const struct pbound_function *function = NULL;
    int first = 1;
    int64_t sizes[PBOUND_MOST_SIZES] = {0};
    for (int i = 0; i < PBOUND_FUNCTIONS && 1 < argc; i++)
        if (strcmp(argv[1], pbound_functions[i].name) == 0) {
            function = &pbound_functions[i];
            first = 2;
        }
    if (!function && PBOUND_FUNCTIONS == 1)
        function = &pbound_functions[0];
    if (!function || argc - first != function->n_sizes)
        pbound_usage(argv[0]);
    for (int i = first; i < argc; i++) {
        char *end;
        errno = 0;
        long long value = strtoll(argv[i], &end, 10);
        if (errno || *end || end == argv[i]) {
            fprintf(stderr, "pbound: %s is no integer of 64 bits\n", argv[i]);
            pbound_usage(argv[0]);
        }
        sizes[i - first] = value;
    }
    function->run(sizes);
    printf("%s", function->where);
    printf("%s%s", function->n_sizes ? " for" : "", function->sizes);
    for (int i = first; i < argc; i++)
        printf("%s %s", i == first ? " =" : ",", argv[i]);
    printf("\n");
    return pbound_print() ? 3 : 0;
}
#endif
