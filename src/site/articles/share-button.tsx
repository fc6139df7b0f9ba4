import { useState } from 'react';
import { useMounted } from '../browser/mounted.ts';
import { Button, LiveRegion } from '../ui/controls.tsx';

/** Hands the page's address to the device's own share sheet, or to the clipboard where there is none. */
async function share(title: string): Promise<'shared' | 'copied' | 'refused'> {
  const url = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href;
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ title, url });
      return 'shared';
    }
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    // Closed by the visitor, who needs no word about it; anything else the browser did not allow.
    return thrown.name === 'AbortError' ? 'shared' : 'refused';
  }
}

/** Shares the page; only where scripts run, in a place that is kept free for it. */
export function ShareButton(props: { title: string; text: string; copied: string; refused: string }) {
  const isMounted = useMounted();
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof share>>>('shared');
  if (!isMounted) return null;
  const start = async () => setOutcome(await share(props.title));
  return (
    <>
      <Button strength="plain" icon="link" onClick={() => void start()}>
        {outcome === 'copied' ? props.copied : props.text}
      </Button>
      {outcome === 'refused' && <span>{props.refused}</span>}
      <LiveRegion>{outcome === 'shared' ? '' : props[outcome]}</LiveRegion>
    </>
  );
}
