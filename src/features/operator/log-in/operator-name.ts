/** The name of an operator: letters and digits of any script. */
export const operatorName = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,39}$/u;
