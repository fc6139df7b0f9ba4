/** Files that may be, or be in, an export: for a file picker. */
export const exportTypes = '.zip,.json,.txt,.csv,.html,.htm';
