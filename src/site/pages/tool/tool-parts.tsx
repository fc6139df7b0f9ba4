import { type ComponentType, memo, Suspense } from 'react';

/**
 * A feature's addition to a downloader page, between the steps and the questions. The default export of
 * `features/NAME/browser/tool-page.tsx`; every page loads that file, so its `Part` is lazy. The server part provides
 * the data (`toolParts`) under the same name; a page without data shows nothing.
 */
export interface ToolPart {
  readonly name: string;
  /** Its data's type is the feature's own affair. */
  readonly Part: ComponentType<{ readonly data: never }>;
}

let provided: readonly ToolPart[] = [];

/** Says which parts there are. To be called before the first page is shown. */
export function provideToolParts(parts: readonly ToolPart[]): void {
  provided = parts;
}

/**
 * The features' parts on the page. React removes what the server rendered of a part that is rendered again before its
 * code has arrived: that must not happen with each rendering of the page.
 */
export const ToolParts = memo(({ data }: { data: Readonly<Record<string, unknown>> }) =>
  provided.map(
    ({ name, Part }) =>
      name in data && (
        <Suspense key={name}>
          <Part data={data[name] as never} />
        </Suspense>
      ),
  ),
);
