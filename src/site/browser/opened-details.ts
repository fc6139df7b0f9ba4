import { type RefObject, type ToggleEvent, useEffect, useEffectEvent, useRef } from 'react';

/** Props of a `details` element whose content is loaded when it is first opened. */
interface OpenedDetails {
  readonly ref: RefObject<HTMLDetailsElement | null>;
  onToggle(event: ToggleEvent<HTMLDetailsElement>): void;
}

/** Calls back when a `details` element opens, also where a visitor opened it before the page's scripts ran. */
export function useOpenedDetails(onOpen: () => void): OpenedDetails {
  const ref = useRef<HTMLDetailsElement>(null);
  const openedEarly = useEffectEvent(() => {
    if (ref.current?.open) onOpen();
  });
  // A press before hydration has fired its toggle event already.
  useEffect(() => openedEarly(), []);
  return { ref, onToggle: ({ currentTarget }) => currentTarget.open && onOpen() };
}
