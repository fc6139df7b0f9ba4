import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** `action` is the main action of a view, `plain` everything beside it, `quiet` rarely used actions. */
export type Strength = 'action' | 'plain' | 'quiet';

function Content(props: { icon?: IconName | undefined; children: ReactNode }) {
  return (
    <>
      {props.icon !== undefined && <Icon name={props.icon} />}
      <span>{props.children}</span>
    </>
  );
}

interface Look {
  strength: Strength;
  icon?: IconName;
}

/** A button with words, and optionally a picture before them. By default it submits no form. */
export function Button({
  strength,
  icon,
  className,
  children,
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} className={`button button-${strength} ${className ?? ''}`}>
      <Content icon={icon}>{children}</Content>
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  strength,
  icon,
  className,
  children,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={`button button-${strength} ${className ?? ''}`}>
      <Content icon={icon}>{children}</Content>
    </a>
  );
}

/** A button that is a picture; its name is read out and shown as a hint. */
export function IconButton({
  icon,
  label,
  className,
  ...rest
}: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`icon-button ${className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Text for assistive technology only. */
export function VisuallyHidden(props: { children: ReactNode }) {
  return <span className="visually-hidden">{props.children}</span>;
}

/** Says politely what has just happened. It must be in the page before its text changes. */
export function LiveRegion(props: { children: ReactNode }) {
  return (
    <p className="visually-hidden" role="status">
      {props.children}
    </p>
  );
}
