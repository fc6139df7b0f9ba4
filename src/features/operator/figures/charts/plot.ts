/** A plot's own units: it is stretched to its place, whatever the screen. */
export const plotWidth = 1000;
export const plotHeight = 100;
