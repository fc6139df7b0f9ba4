import { type RefObject, useEffect, useRef, useState } from 'react';
import { useDevice } from '../../../site/browser/device/device.ts';
import { onFirstSaved } from '../../../site/browser/downloads/first-saved.ts';
import { useToolBusy } from '../../../site/browser/downloads/tool-state.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { systemOf } from '../../../site/state/system.ts';
import { Button, IconButton, LinkButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { rememberClosed, wasClosed } from '../../../site/visitors/stored/closed.ts';
import type { ProgramCell, ProgramData } from '../document-part.ts';
import styles from './desktop-app.css?url';

/** Another site's, in a tab of its own. */
const away = { target: '_blank', rel: 'sponsored noopener' };

/** The dialog's id, and its name among closed elements once it has opened by itself. */
const name = 'desktop-app';

/** The visitor's own system, if it is a computer's; null on the server and during hydration. */
function useOwnSystem(): string | null {
  const isComputer = useDevice() === 'computer';
  return useMounted() && isComputer ? systemOf(navigator.userAgent) : null;
}

/** Opens the dialog once, after the first file and when the tool is idle. */
function useOpeningAfterSuccess(dialog: RefObject<HTMLDialogElement | null>, isWanted: boolean): void {
  const [isDue, setIsDue] = useState(false);
  const isBusy = useToolBusy();
  useEffect(() => {
    if (isWanted && !wasClosed(name)) return onFirstSaved(() => setIsDue(true));
  }, [isWanted]);
  useEffect(() => {
    if (!isDue || isBusy) return;
    setIsDue(false);
    if (document.querySelector('dialog:modal') !== null) return;
    rememberClosed(name);
    dialog.current?.showModal();
  }, [isDue, isBusy, dialog]);
}

/** Announces a desktop program, and opens a dialog with it: one cell for each system, and a link to its page. */
export default function DesktopApp({ data: app }: { data: ProgramData }) {
  const { label, title, description, open, cells, leads, more, close } = app;
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const ownSystem = useOwnSystem();
  const isForOwn = cells.some(({ system }) => system === ownSystem);
  useOpeningAfterSuccess(dialog, app.opensAfterSuccess && isForOwn);
  // The browser opens it by itself, before the scripts run too; those that cannot yet are helped.
  const opensDialog = { command: 'show-modal', commandfor: name };
  return (
    // Looks like the section above it, whose styles every page has.
    <section className="container features" aria-labelledby={`${name}-title`}>
      {/* Before the page is drawn: the dialog can be opened before the scripts run. */}
      <link rel="stylesheet" href={styles} precedence="default" />
      <Icon name="device" />
      <p>{label}</p>
      <h2 id={`${name}-title`}>{title}</h2>
      <p>{description}</p>
      <p>
        <Button
          strength="plain"
          aria-haspopup="dialog"
          data-vars-banner="open"
          {...opensDialog}
          onClick={(event) => {
            event.preventDefault();
            if (dialog.current?.open === false) dialog.current.showModal();
          }}
        >
          {open}
        </Button>
      </p>
      <noscript>
        {cells.map(({ system, href, download }) => (
          <p key={system}>
            <a href={href} rel="sponsored noopener">
              {download}
            </a>
          </p>
        ))}
      </noscript>
      <dialog
        ref={dialog}
        id={name}
        className="app-dialog"
        aria-labelledby={`${name}-dialog-title`}
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
          <h2 id={`${name}-dialog-title`}>{title}</h2>
          <p>{description}</p>
          <ul className="app-cells">
            {(ownSystem === 'mac' ? cells.toReversed() : cells).map((cell) => (
              <Cell key={cell.system} cell={cell} isOwn={cell.system === ownSystem} yours={app.yours} />
            ))}
          </ul>
          <p className="app-dialog-leads">{leads}</p>
          {more !== null && (
            <LinkButton strength="quiet" href={more.href} {...away} data-vars-event="guide_jump">
              {more.text}
            </LinkButton>
          )}
        </div>
      </dialog>
    </section>
  );
}

/** The program for one system. @param isOwn whether it is the visitor's own @param yours says that it is */
function Cell({ cell, isOwn, yours }: { cell: ProgramCell; isOwn: boolean; yours: string }) {
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
        {...away}
        data-vars-event="download"
        data-vars-appid={appId}
      >
        {download}
      </LinkButton>
    </li>
  );
}
