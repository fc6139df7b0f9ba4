import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { Button, type Strength } from '../../site/ui/controls.tsx';
import { useDeskPage } from './desk-view.tsx';
import { timeText } from './texts.ts';

/**
 * A form that has the page do something.
 * @param action one of the page's `actions`
 * @param hasFile whether it brings a file; its fields come first
 */
export function ActionForm(props: {
  action: string;
  className?: string;
  hasFile?: boolean;
  children: ReactNode;
}) {
  const { path, token } = useDeskPage();
  return (
    <form
      method="post"
      action={path}
      encType={props.hasFile === true ? 'multipart/form-data' : undefined}
      className={`desk-form ${props.className ?? ''}`}
    >
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="action" value={props.action} />
      {props.children}
    </form>
  );
}

/** Sends the form around it. */
export function Submit(props: { strength?: Strength; name?: string; value?: string; children: string }) {
  const { strength = 'action', children, ...rest } = props;
  return (
    <Button type="submit" strength={strength} {...rest}>
      {children}
    </Button>
  );
}

/** An action that is one button. @param values what the form sends */
export function ActionButton(props: {
  action: string;
  values?: Readonly<Record<string, string>>;
  strength?: Strength;
  children: string;
}) {
  return (
    <ActionForm action={props.action} className="desk-form-small">
      {Object.entries(props.values ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit strength={props.strength ?? 'plain'}>{props.children}</Submit>
    </ActionForm>
  );
}

interface Labelled {
  name: string;
  label: string;
  hint?: string | undefined;
}

function Label({ name, label, hint, children }: Labelled & { children: ReactNode }) {
  return (
    <div className="desk-field">
      <label htmlFor={`field-${name}`}>{label}</label>
      {hint !== undefined && (
        <p id={`hint-${name}`} className="desk-hint">
          {hint}
        </p>
      )}
      {children}
    </div>
  );
}

/** The attributes of what {@link Label} names. After a refusal it holds what was written. */
function useLabelled<Value>({
  name,
  hint,
  defaultValue,
}: Omit<Labelled, 'label'> & { defaultValue?: Value }) {
  const { sent } = useDeskPage();
  return {
    id: `field-${name}`,
    'aria-describedby': hint === undefined ? undefined : `hint-${name}`,
    defaultValue: sent[name] ?? defaultValue,
  };
}

/** One line. */
export function Field({ label, hint, ...input }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Label {...{ label, hint }} name={input.name}>
      <input {...input} {...useLabelled({ hint, ...input })} />
    </Label>
  );
}

/** Some lines. */
export function TextField({ label, hint, ...input }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Label {...{ label, hint }} name={input.name}>
      <textarea rows={6} {...input} {...useLabelled({ hint, ...input })} />
    </Label>
  );
}

/** Yes or no. After a refusal it is as it was sent. */
export function Check({
  label,
  name,
  isChecked = false,
}: {
  label: string;
  name: string;
  isChecked?: boolean;
}) {
  const { sent } = useDeskPage();
  const wasSent = Object.keys(sent).length > 0;
  return (
    <label className="desk-check">
      <input type="checkbox" name={name} value="yes" defaultChecked={wasSent ? name in sent : isChecked} />
      {label}
    </label>
  );
}

/** One of some. @param options texts by values */
export function Choice({
  label,
  hint,
  options,
  ...input
}: Labelled & { options: Readonly<Record<string, string>> } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Label {...{ label, hint }} name={input.name}>
      <select {...input} {...useLabelled({ hint, ...input })}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Label>
  );
}

/** A moment. @param at milliseconds since 1970 */
export function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>;
}

/** One column of a table. */
interface Column<Row> {
  readonly title: string;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
  cell(row: Row): ReactNode;
}

/** A table; on a phone each row is a card, with the columns' titles beside their values. */
export function DataTable<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** Stands in the place of a table without rows. */
  empty: string;
}) {
  const { columns, rows } = props;
  if (rows.length === 0) return <p className="desk-empty">{props.empty}</p>;
  return (
    <table className="desk-table">
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber === true ? 'desk-number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={props.keyOf(row)}>
            {columns.map(({ title, isNumber, cell }) => (
              <td key={title} data-title={title} className={isNumber === true ? 'desk-number' : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names and their values. */
export function Facts(props: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="desk-facts">
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Text as somebody wrote it, with its lines. */
export function Written(props: { text: string; lang?: string }) {
  return (
    <p className="desk-written" dir="auto" lang={props.lang}>
      {props.text}
    </p>
  );
}

/** Part of a page with a heading. */
export function Section(props: { title: string; children: ReactNode }) {
  return (
    <section className="desk-section">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** One word about how something stands. */
export function Badge(props: { kind: 'good' | 'bad' | 'plain'; children: ReactNode }) {
  return (
    <span className="desk-badge" data-kind={props.kind}>
      {props.children}
    </span>
  );
}

/** Leads to what is older. @param before the number that the next page begins below; null on the last one */
export function Pager({ before }: { before: number | null }) {
  const { path, isFirst } = useDeskPage();
  if (isFirst && before === null) return null;
  return (
    <nav className="desk-pager" aria-label="Pages">
      {!isFirst && <a href={path}>Newest</a>}
      {before !== null && <a href={`${path}?before=${before}`}>Older</a>}
    </nav>
  );
}
