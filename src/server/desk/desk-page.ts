import type { z } from 'zod';

/** The desk's pages stand under these headings, in this order. */
export const deskSections = ['Now', 'Use', 'Do', 'Desk'] as const;

type DeskSection = (typeof deskSections)[number];

/** A request for a page of the desk. */
export interface DeskRequest {
  /** The segments behind the page's name in the address: `/operator/messages/12` has `['12']`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Aborted when the operator's browser went away. */
  readonly signal: AbortSignal;
}

/** A file that the operator has sent. */
export interface SentFile {
  /** Temporary path, until the action has ended: an action that keeps the file moves it. */
  readonly path: string;
  readonly bytes: number;
}

/** A form that the operator has sent. */
export interface ActionRequest extends DeskRequest {
  /** Its texts. */
  readonly form: FormData;
  /** Null where the page has no `upload`, or none was chosen. */
  readonly file: SentFile | null;
}

/** How an action ended. */
export interface ActionOutcome {
  /** `refused` for what the operator has to write otherwise: the form is shown again with what was written. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The target, for the audit log: `message 12`. No text of a visitor. */
  readonly object: string;
  /** One sentence for the operator, which the audit log keeps. */
  readonly text: string;
  /** Address below `/operator/` that is shown next; the same page when left out. */
  readonly next?: string;
  /** The page's answer to the form itself, as `useShown` gives it; it is not stored. */
  readonly shown?: object;
}

/** Ends an action that the operator has to ask for otherwise; its message says how. */
export class Refused extends Error {}

/**
 * The checked texts of a form.
 * @param otherwise said of a form that is wrong; left out, the first mistake's own words
 * @throws Refused
 */
export function textsOf<T>(form: FormData, schema: z.ZodType<T>, otherwise?: string): T {
  const { data, error } = schema.safeParse(Object.fromEntries(form));
  if (error !== undefined) throw new Refused(otherwise ?? error.issues[0]?.message);
  return data;
}

/**
 * Something that the operator can do on a page. What it throws besides {@link Refused} is logged, and the operator
 * hears that it failed.
 */
export type Action = (request: ActionRequest) => Promise<ActionOutcome>;

/**
 * A page of the operator's desk: the server's half. The other half is the view of the same name in the feature's
 * `desk/views.tsx`.
 */
export interface DeskPage {
  /** Its address below `/operator/`: small letters. */
  readonly name: string;
  readonly section: DeskSection;
  /** Heading, and words in the navigation. */
  readonly title: string;
  /** Seconds after which the browser loads it again. */
  readonly refreshS?: number;
  /** Whether there are addresses below its own. */
  readonly hasParts?: true;
  /** The data for its view; null for an unknown address. */
  load(request: DeskRequest): Promise<object | null>;
  /** By the names that its forms have (`ActionForm`). */
  readonly actions?: Readonly<Record<string, Action>>;
  /** That its forms may bring a file, which lies in `folder` until the action has ended. */
  readonly upload?: { readonly folder: string; readonly maxBytes: number };
}

/** A sentence at the top of a page. */
export interface DeskNotice {
  readonly kind: 'done' | 'refused' | 'failed';
  readonly text: string;
}

interface DeskLink {
  readonly name: string;
  readonly section: DeskSection;
  readonly title: string;
}

/** The input for rendering a page of the desk. */
export interface ShownDesk {
  readonly siteName: string;
  readonly title: string;
  readonly notice: DeskNotice | null;
  readonly page:
    | {
        readonly kind: 'log-in';
        readonly to: string;
        /** Whether operators have names and second factors. */
        readonly areNamed: boolean;
      }
    | { readonly kind: 'problem'; readonly text: string }
    | {
        readonly kind: 'page';
        readonly name: string;
        /** The requested path, without the query. */
        readonly path: string;
        readonly refreshS: number | null;
        /** Whether a list begins with its newest entry. */
        readonly isFirst: boolean;
        /** Stands in each form, and proves that this session's page has sent it. */
        readonly token: string;
        readonly links: readonly DeskLink[];
        readonly data: object;
        /** The values of a form that is shown again. */
        readonly sent: Readonly<Record<string, string>>;
        /** The answer of an action. */
        readonly shown: object | null;
      };
}

/** Which part of a list `?before=` asks for, the newest first. Anything but a number asks for the newest. */
export function beforeOf(query: URLSearchParams): { before?: number } {
  const text = query.get('before') ?? '';
  return /^\d{1,9}$/.test(text) ? { before: Number(text) } : {};
}

/** The parameters of the link to older rows; null where there are none. @param size of a whole page */
export const olderThan = (rows: readonly { readonly id: number }[], size: number): number | null =>
  rows.length < size ? null : (rows.at(-1)?.id ?? null);

/** The number that an address names: `/operator/messages/12` is 12. Null for anything else. */
export function numberIn(parts: readonly string[]): number | null {
  const [text = '', ...more] = parts;
  return more.length === 0 && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
