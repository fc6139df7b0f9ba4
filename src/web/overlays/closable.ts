import { useState } from 'react';
import { rememberClosed, wasClosed } from '../visitors/stored/closed.ts';

/** An element that a visitor can close for a day. @param name its stored name: lower-case letters, digits and "-" */
export function useClosable(name: string): { readonly isClosed: boolean; close(): void } {
  const [isClosed, setIsClosed] = useState(() => wasClosed(name));
  return {
    isClosed,
    close() {
      rememberClosed(name);
      setIsClosed(true);
    },
  };
}
