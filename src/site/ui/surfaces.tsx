import type { ReactNode } from 'react';
import { useErrorFocus } from '../browser/focus.ts';
import { Icon, type IconName } from './icon.tsx';

/** A surface with an edge and a shadow, for what belongs together. */
export function Card(props: { className?: string; children: ReactNode }) {
  return <div className={`card ${props.className ?? ''}`}>{props.children}</div>;
}

/**
 * A collapsible part; native, so that it works without scripts, by keyboard and by its own link: browsers open it to
 * show the link's target, so the id must be inside.
 */
export function Disclosure(props: { id: string; summary: ReactNode; children: ReactNode }) {
  return (
    <details className="disclosure">
      <summary>
        {typeof props.summary === 'string' ? <span>{props.summary}</span> : props.summary}
        <Icon name="chevron" />
      </summary>
      <div className="disclosure-body" id={props.id}>
        {props.children}
      </div>
    </details>
  );
}

/** A message beside the content; `error` for a failure. */
export function Notice(props: { kind: 'error' | 'success' | 'plain'; children: ReactNode }) {
  const icon: IconName = props.kind === 'success' ? 'check' : props.kind === 'error' ? 'warning' : 'clock';
  return (
    <div className={`notice notice-${props.kind}`}>
      <Icon name={icon} />
      <div>{props.children}</div>
    </div>
  );
}

/** The failure of a visitor's press; takes the focus ({@link useErrorFocus}). */
export function ErrorNotice(props: { isAwaited?: boolean; children: ReactNode }) {
  const message = useErrorFocus<HTMLDivElement>(props.isAwaited);
  return (
    <div className="notice notice-error">
      <Icon name="warning" />
      <div ref={message} tabIndex={-1}>
        {props.children}
      </div>
    </div>
  );
}

/** A progress bar, from 0 to 1; null while unknown. */
export function Progress(props: { fraction: number | null; label: string }) {
  return props.fraction === null ? (
    <progress className="progress" aria-label={props.label} max={1} />
  ) : (
    <progress className="progress" aria-label={props.label} max={1} value={props.fraction} />
  );
}

/** A grey placeholder for content that is loading. */
export function Skeleton(props: { className: string }) {
  return <span className={`skeleton ${props.className}`} />;
}
