import { type ComponentType, createContext, useContext } from 'react';
import type { PageShare } from '../promotion/share-bar/page-share.ts';

interface WithoutScriptsProps {
  readonly share: PageShare;
}

const PlainContext = createContext<ComponentType<WithoutScriptsProps> | null>(null);

/** Set around the document on the server only: what is shown without scripts is not shipped as a script. */
export const PlainProvider = PlainContext.Provider;

/** What is promoted to browsers without scripts. To others it is a text, which nothing reads. */
export function WithoutScripts(props: WithoutScriptsProps) {
  const Plain = useContext(PlainContext);
  return <noscript>{Plain !== null && <Plain {...props} />}</noscript>;
}
