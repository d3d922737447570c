/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/type_envelope.h"

#include <stddef.h>

static bool is_of_predefined(int combiner)
{
    static const int combiners[] = {MPI_COMBINER_NAMED, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX,
                                    MPI_COMBINER_F90_INTEGER};
    for (size_t i = 0; i < sizeof combiners / sizeof combiners[0]; i++)
        if (combiner == combiners[i])
            return true;
    return false;
}

int ct_type_envelope(MPI_Datatype type, struct ct_type_envelope *ret_envelope)
{
    int combiner;
#if MPI_VERSION >= 4
    MPI_Count integers, addresses, large, types;
    int code = PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner);
#else
    int integers, addresses, types, large = 0;
    int code = PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
    if (code != MPI_SUCCESS)
        return code;
    const bool is_predefined = is_of_predefined(combiner);
    *ret_envelope = (struct ct_type_envelope){
        .combiner = combiner, .is_predefined = is_predefined, .has_contents = !is_predefined && large == 0};
    return MPI_SUCCESS;
}
