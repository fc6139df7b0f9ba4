import { z } from 'zod';

/** The backgrounds of accented text: paper, surface and sunk surface of `ui/tokens.css`. */
export const grounds = {
  light: ['#f8f5ef', '#ffffff', '#f0ece3'],
  dark: ['#0d1719', '#152326', '#1c2d31'],
} as const;

type Theme = keyof typeof grounds;

/** Contrast of text at level AA (WCAG 2.2, 1.4.3). */
const least = 4.5;

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes a share (0 to 1) of one colour into another. */
const mix = (colour: string, share: number, other: string): string =>
  `#${channels(colour)
    .map((channel, at) => Math.round(channel * share + (channels(other)[at] ?? 0) * (1 - share)))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** The background that is tinted by the accent. */
const sunk = (theme: Theme, colour: string) => mix(colour, 0.1, grounds[theme][1]);

const colourOf = (theme: Theme) =>
  z
    .string()
    .regex(/^#[\da-f]{6}$/i, { message: 'must be a colour like "#0b6175"', abort: true })
    .superRefine((colour, context) => {
      const found = Math.min(
        ...[...grounds[theme], sunk(theme, colour)].map((ground) => contrast(colour, ground)),
      );
      const shown = Math.floor(found * 10) / 10;
      if (found < least)
        context.addIssue({
          code: 'custom',
          message: `has a contrast of ${shown} with the ${theme} theme's backgrounds; readable text needs ${least} (AA)`,
        });
    });

/** The site's accent colour in each theme: of links, selected items and the one strong button. */
export const accentField = z.strictObject({ light: colourOf('light'), dark: colourOf('dark') });

/** @returns the style that replaces the colours of `ui/tokens.css` */
export function accentStyle({ light, dark }: z.output<typeof accentField>): string {
  const inks = [light, dark].map((colour) => ({
    colour,
    // One of both is readable on every colour.
    ...(contrast(colour, '#ffffff') >= least
      ? { ink: '#ffffff', edge: '#000000' }
      : { ink: '#000000', edge: '#ffffff' }),
  }));
  const pair = (values: readonly string[]) => `light-dark(${values.join()})`;
  const properties = {
    accent: pair([light, dark]),
    'accent-sunk': pair([sunk('light', light), sunk('dark', dark)]),
    signal: pair([light, dark]),
    'signal-hover': pair(inks.map(({ colour, edge }) => mix(colour, 0.85, edge))),
    'signal-ink': pair(inks.map(({ ink }) => ink)),
    // On deep water in both themes.
    'sea-signal': dark,
    'surface-focus': pair([light, dark]),
  };
  return `:root{${Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`;
}
