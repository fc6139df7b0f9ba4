import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';

/**
 * One report of a visitor who consented to statistics. Rows are deleted after some weeks, or at the visitor's request.
 */
export interface ReportTable {
  id: Generated<number>;
  /** Given by the browser: the same report counts once. */
  upload_id: string;
  made_at: number;
  /** The visitor's random token. */
  token: string;
  /** The visit's random name. */
  session: string;
  mode: 'page_view' | 'event';
  /** Key of the page. */
  page: string;
  locale: string;
  device: string;
  /** Family of the browser. */
  browser: string;
  system: string;
  /** JSON: the other reported data. */
  payload: string;
}

/** A visitor's erasure request, kept for some minutes, so that reports in transit are deleted too. */
interface ForgottenTokenTable {
  token: string;
  made_at: number;
}

/** A visit that saw an experiment: it counts once there, and converts once at the most. Deleted like reports. */
export interface ExperimentVisitTable {
  session: string;
  experiment: string;
  token: string;
  variant: string;
  made_at: number;
  /** 0 or 1. */
  converted: number;
}

/** The tables of this feature. */
type ReportTables = {
  reports: ReportTable;
  forgotten_tokens: ForgottenTokenTable;
  experiment_visits: ExperimentVisitTable;
};

/** The database with them. */
export const withReports = (database: Kysely<Tables>) => database.$extendTables<ReportTables>();
