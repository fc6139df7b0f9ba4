import { useState } from 'react';
import { useMounted } from '../browser/mounted.ts';
import { Button, LiveRegion } from '../ui/controls.tsx';

/** Hands the page's address to the device's own share sheet, or to the clipboard where there is none. */
async function share(title: string): Promise<'shared' | 'copied' | 'neither'> {
  const url = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href;
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ title, url });
      return 'shared';
    }
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch (thrown) {
    // Closed by the visitor, or not allowed by the browser: both leave everything as it was.
    if (thrown instanceof DOMException) return 'neither';
    throw thrown;
  }
}

/** Shares the page; only where scripts run, in a place that is kept free for it. */
export function ShareButton(props: { title: string; text: string; copied: string }) {
  const isMounted = useMounted();
  const [outcome, setOutcome] = useState('');
  if (!isMounted) return null;
  const start = async () => {
    const how = await share(props.title);
    setOutcome(how === 'copied' ? props.copied : '');
  };
  return (
    <>
      <Button strength="plain" icon="link" onClick={() => void start()}>
        {outcome || props.text}
      </Button>
      <LiveRegion>{outcome}</LiveRegion>
    </>
  );
}
