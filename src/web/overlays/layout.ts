/**
 * Which of two layouts is shown: desktops have windows from 1025 pixels on; phones and tablets, and windows as narrow as
 * theirs, are mobile.
 */
export type Layout = 'desktop' | 'mobile';
