import { type RefObject, useEffect, useRef, useState } from 'react';
import { useDevice } from '../../../web/browser/device/device.ts';
import { onFirstSaved } from '../../../web/browser/downloads/first-saved.ts';
import { useToolBusy } from '../../../web/browser/downloads/tool-state.ts';
import { systemOf } from '../../../web/state/system.ts';
import { Button } from '../../../web/ui/controls.tsx';
import { Icon } from '../../../web/ui/icon.tsx';
import { rememberClosed, wasClosed } from '../../../web/visitors/stored/closed.ts';
import type { System } from '../configuration/product-dialog.ts';
import { AppDialog } from './app-dialog.tsx';
import styles from './desktop-app.css?url';
import type { DesktopAppData } from './desktop-app-data.ts';

const titleId = 'desktop-app-title';
const dialogId = 'desktop-app';

/** Under which it is remembered that the dialog has opened by itself. */
const rememberedAs = 'desktop-app';

/** The visitor's own system, where there is a program for it; null on the server and while the page is taken over. */
function useOwnSystem(): System | null {
  const isComputer = useDevice() === 'computer';
  const [system, setSystem] = useState<System | null>(null);
  useEffect(() => {
    const found = systemOf(navigator.userAgent);
    setSystem(isComputer && (found === 'win' || found === 'mac') ? found : null);
  }, [isComputer]);
  return system;
}

/** Opens the dialog once, when a first file has come and the tool has nothing else to do. */
function useOpeningAfterSuccess(dialog: RefObject<HTMLDialogElement | null>, isWanted: boolean): void {
  const [isDue, setIsDue] = useState(false);
  const isBusy = useToolBusy();
  useEffect(() => {
    if (isWanted && !wasClosed(rememberedAs)) return onFirstSaved(() => setIsDue(true));
  }, [isWanted]);
  useEffect(() => {
    if (!isDue || isBusy) return;
    setIsDue(false);
    if (document.querySelector('dialog:modal') !== null) return;
    rememberClosed(rememberedAs);
    dialog.current?.showModal();
  }, [isDue, isBusy, dialog]);
}

/** Says that there is a program for computers, and opens a dialog with it. */
export default function DesktopApp({ data: app }: { data: DesktopAppData }) {
  const { label, title, description, open, cells } = app;
  const dialog = useRef<HTMLDialogElement>(null);
  const ownSystem = useOwnSystem();
  useOpeningAfterSuccess(dialog, app.opensAfterSuccess && ownSystem !== null);
  // The browser opens it by itself, before the scripts run too; those that cannot yet are helped.
  const opensDialog = { command: 'show-modal', commandfor: dialogId };
  return (
    // Looks like the section above it, whose styles every page has.
    <section className="container features" aria-labelledby={titleId}>
      {/* Before the page is drawn: the dialog can be opened before the scripts run. */}
      <link rel="stylesheet" href={styles} precedence="default" />
      <Icon name="device" />
      <p>{label}</p>
      <h2 id={titleId}>{title}</h2>
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
      <AppDialog id={dialogId} ref={dialog} app={app} ownSystem={ownSystem} />
    </section>
  );
}
