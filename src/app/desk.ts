import type { DeskViews, RenderDesk } from '../server/desk/desk-view.tsx';

/** Views of the desk's pages, by name: every feature has its own. */
const views: DeskViews = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<DeskViews>('../features/*/desk/views.tsx', { eager: true, import: 'default' }),
  ),
);

/** The document around them, of the feature that has the desk. */
const [render] = Object.values(
  import.meta.glob<RenderDesk>('../features/*/desk/document.tsx', { eager: true, import: 'renderDesk' }),
);

/** A page of the desk as HTML. @throws Error when there is no desk, or nothing that shows the page */
export function renderDesk(shown: Parameters<RenderDesk>[0]): string {
  if (render === undefined) throw new Error('There is no desk.');
  return render(shown, views);
}
