import { useState } from 'react';
import { absolute } from '../addressing/addresses.ts';
import { ownPlace } from '../addressing/page-addresses.ts';
import { useMounted } from '../browser/mounted.ts';
import { copyAddress, hasShareSheet, openShareSheet, type ShareOutcome } from '../browser/sharing.ts';
import { useDocument } from '../document/document-context.tsx';
import { Button, LiveRegion } from '../ui/controls.tsx';

/**
 * Passes the page's address to the system's share sheet, or to the clipboard if there is none. Shown only with scripts,
 * in reserved space.
 */
export function ShareButton(props: { title: string; text: string; copied: string; refused: string }) {
  const { origin, addresses } = useDocument();
  const isMounted = useMounted();
  const [outcome, setOutcome] = useState<ShareOutcome>('done');
  const place = ownPlace(addresses);
  if (!isMounted || place === null) return null;
  const url = absolute(origin, place);
  const start = async () =>
    setOutcome(await (hasShareSheet() ? openShareSheet({ title: props.title, url }) : copyAddress(url)));
  return (
    <>
      <Button strength="plain" icon="link" onClick={() => void start()}>
        {outcome === 'copied' ? props.copied : props.text}
      </Button>
      {outcome === 'refused' && <span>{props.refused}</span>}
      <LiveRegion>{outcome === 'done' ? '' : props[outcome]}</LiveRegion>
    </>
  );
}
