/**
 * The active layout: desktop from a window width of 1025 pixels on; phones, tablets and narrower windows are mobile.
 */
export type Layout = 'desktop' | 'mobile';
