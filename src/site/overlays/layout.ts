/**
 * The layouts of a page: desktop from a window width of 1025 pixels on; phones, tablets and narrower windows are mobile.
 */
export const layouts = ['desktop', 'mobile'] as const;

/** The active layout. */
export type Layout = (typeof layouts)[number];
