/** Links of one list, and files of one zip. */
export const mostLinks = 20;
