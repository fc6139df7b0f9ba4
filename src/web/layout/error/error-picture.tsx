import { errorPictureBox, errorPictureShapes } from './error-picture-shapes.ts';

/** The site's boat, adrift: for pages that are not there. */
export function ErrorPicture() {
  return (
    <svg className="error-picture" viewBox={errorPictureBox} aria-hidden="true" focusable="false">
      {errorPictureShapes.map(({ element: Element, name, attributes }) => (
        <Element key={name} className={`error-picture-${name}`} {...attributes} />
      ))}
    </svg>
  );
}
