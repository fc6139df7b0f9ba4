import type { Generated } from 'kysely';

/** Columns of a table whose rows are sent (`stores/shared-work/outbox.ts`). */
export interface OutboxColumns<Other extends string = never> {
  state: 'waiting' | 'sent' | 'failed' | Other;
  /** With the one that is being made. */
  attempts: Generated<number>;
  /** When the next attempt may be made. */
  next_at: number;
  sent_at: number | null;
}
