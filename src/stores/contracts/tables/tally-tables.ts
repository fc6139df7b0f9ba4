/** A sum of an hour, a day or a month; says nothing of anybody. `stores/tally/subjects.ts` lists what there is. */
export interface TallyTable {
  subject: string;
  unit: 'hour' | 'day' | 'month';
  /** Hours, days or months since 1970, in UTC. */
  at: number;
  name: string;
  /** Empty where the subject has one part only. */
  detail: string;
  total: number;
  /** When something was last added; 0 for sums from before the tally. */
  last_at: number;
}

/** An instance that adds to the tally, and the number of its last batch. Rows of those that are gone are deleted. */
export interface TallyWriterTable {
  writer: string;
  number: number;
  written_at: number;
}
