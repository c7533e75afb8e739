//! Functions that C++'s library has in its shared library, where they are not instrumented, and that are about the program's memory. Instrumented code calls others
//! in their place, which do the same (`runtime/cxx`). Code that is not instrumented goes on with the library's, as what orders it is not seen either.

/// Their mangled names: trees, lists and hashing of libstdc++, and sorting of numbers by libc++.
pub const FUNCTIONS: [&str; 27] = [
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
    "_ZNSt8__detail15_List_node_base9_M_unhookEv",
    "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
    "_ZNSt8__detail15_List_node_base10_M_reverseEv",
    "_ZNSt8__detail15_List_node_base4swapERS0_S1_",
    "_ZSt11_Hash_bytesPKvmm",
    "_ZNSt3__16__sortIRNS_6__lessIccEEPcEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIaaEEPaEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIhhEEPhEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIwwEEPwEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIssEEPsEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIttEEPtEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIiiEEPiEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIjjEEPjEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIllEEPlEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessImmEEPmEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIxxEEPxEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIyyEEPyEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIffEEPfEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIddEEPdEEvT0_S5_T_",
    "_ZNSt3__16__sortIRNS_6__lessIeeEEPeEEvT0_S5_T_",
];

/// Where their code is in a program: its calls of the runtime do not say that the program is instrumented.
pub const SECTION: &str = "goldilocks_cxx";

/// The name of what instrumented code calls in place of one of these.
pub fn instrumented(function: &str) -> String {
    format!("__goldilocks_cxx_{function}")
}
