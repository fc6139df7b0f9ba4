import { type Ref, useRef } from 'react';
import { IconButton, LinkButton } from '../../../web/ui/controls.tsx';
import { Icon } from '../../../web/ui/icon.tsx';
import type { System } from '../configuration/product-dialog.ts';
import type { AppCell, DesktopAppData } from './desktop-app-data.ts';

interface AppDialogProps {
  readonly id: string;
  readonly ref: Ref<HTMLDialogElement>;
  readonly app: DesktopAppData;
  /** Comes first; null when unknown. */
  readonly ownSystem: System | null;
}

/** A dialog for a desktop program: one cell for each system, and a link to its page. */
export function AppDialog({ id, ref, app, ownSystem }: AppDialogProps) {
  const { label, title, description, cells, leads, more, close } = app;
  const closeButton = useRef<HTMLButtonElement>(null);
  const titleId = `${id}-dialog-title`;
  return (
    <dialog
      ref={ref}
      id={id}
      className="app-dialog"
      aria-labelledby={titleId}
      closedby="any"
      // Every way of closing triggers the button's click, which statistics count.
      onCancel={(event) => {
        event.preventDefault();
        closeButton.current?.click();
      }}
    >
      <div className="app-dialog-content">
        <form method="dialog" className="app-dialog-head">
          <p>{label}</p>
          <IconButton ref={closeButton} type="submit" icon="close" label={close} data-vars-banner="close" />
        </form>
        <h2 id={titleId}>{title}</h2>
        <p>{description}</p>
        <ul className="app-cells">
          {(ownSystem === 'mac' ? cells.toReversed() : cells).map((cell) => (
            <Cell key={cell.system} cell={cell} isOwn={cell.system === ownSystem} yours={app.yours} />
          ))}
        </ul>
        <p className="app-dialog-leads">{leads}</p>
        {more !== null && (
          <LinkButton
            strength="quiet"
            href={more.href}
            target="_blank"
            rel="sponsored noopener"
            data-vars-event="guide_jump"
          >
            {more.text}
          </LinkButton>
        )}
      </div>
    </dialog>
  );
}

interface CellProps {
  readonly cell: AppCell;
  /** Whether it is for the visitor's own system. */
  readonly isOwn: boolean;
  /** The label of that cell. */
  readonly yours: string;
}

/** The program for one system. */
function Cell({ cell, isOwn, yours }: CellProps) {
  const { name, requires, href, download, appId } = cell;
  return (
    <li className={isOwn ? 'app-cell app-cell-own' : 'app-cell'}>
      <Icon name="device" />
      <h3>{name}</h3>
      <p>
        {requires}
        {/* Rendered in each cell, visible in one: the dialog may open before the system is known, and must not grow then. */}
        <span className="app-cell-yours">{requires === null ? yours : ` · ${yours}`}</span>
      </p>
      <LinkButton
        strength={isOwn ? 'action' : 'plain'}
        icon="download"
        href={href}
        target="_blank"
        rel="sponsored noopener"
        data-vars-event="download"
        {...(appId !== null && { 'data-vars-appid': appId })}
      >
        {download}
      </LinkButton>
    </li>
  );
}
