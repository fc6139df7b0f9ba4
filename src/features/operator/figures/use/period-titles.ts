/** Titles of periods, by the word in the address. */
export const periodTitles = {
  day: '24 hours',
  week: '7 days',
  month: '31 days',
  year: '12 months',
} as const;

export type Period = keyof typeof periodTitles;
