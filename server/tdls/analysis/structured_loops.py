"""How many loops structured operations have whose name decides it (`getIteratorTypesArray` of the dialect linalg).

Others, as ``linalg.generic`` and ``linalg.fill``, have as many as their operands have dimensions.
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = {
    1: "dot",
    2: "conv_1d fill_rng_2d matvec vecmat",
    3: "batch_matvec batch_vecmat matmul matmul_transpose_a matmul_transpose_b quantized_matmul",
    4: "batch_matmul batch_matmul_transpose_a batch_matmul_transpose_b batch_reduce_matmul conv_2d "
    "depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc pooling_ncw_max pooling_ncw_sum pooling_nwc_max "
    "pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned pooling_nwc_sum quantized_batch_matmul",
    5: "conv_1d_ncw_fcw conv_1d_nwc_wcf depthwise_conv_1d_nwc_wcm",
    6: "conv_3d depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q mmt4d "
    "pooling_nchw_max pooling_nchw_sum pooling_nhwc_max pooling_nhwc_max_unsigned pooling_nhwc_min "
    "pooling_nhwc_min_unsigned pooling_nhwc_sum",
    7: "batch_mmt4d conv_2d_nchw_fchw conv_2d_nchw_fchw_q conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf "
    "conv_2d_nhwc_hwcf_q depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q",
    8: "conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q "
    "depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwc pooling_ndhwc_max pooling_ndhwc_min pooling_ndhwc_sum",
    9: "conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q depthwise_conv_3d_ndhwc_dhwcm",
}
LOOPS: Final = {f"linalg.{name}": loops for loops, names in _NAMES.items() for name in names.split()}
"""The number of loops by the full name. All of these operations have one output."""
