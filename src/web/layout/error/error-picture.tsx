/** The site's boat, adrift under the moon with its load overboard: for pages that are not there. */
export function ErrorPicture() {
  return (
    <svg className="error-picture" viewBox="0 0 320 180" aria-hidden="true" focusable="false">
      <circle className="error-picture-moon" cx="238" cy="46" r="22" />
      <path
        className="error-picture-stars"
        d="M60 40v8m-4-4h8M118 22v6m-3-3h6M286 84v6m-3-3h6M34 88v6m-3-3h6"
      />
      <g className="error-picture-hull" transform="rotate(-9 160 110)">
        <path d="M96 100h128l-20 36h-88z" />
        <path className="error-picture-mast" d="M160 100V52m0 0 34 34h-34" />
      </g>
      <path
        className="error-picture-load"
        d="M52 126h26v20H52zm0 0 13-8 13 8m-13 0v20"
        transform="rotate(14 65 132)"
      />
      <path
        className="error-picture-wave"
        d="M4 146c20 0 20 10 40 10s20-10 39-10 19 10 39 10 19-10 39-10 19 10 39 10 19-10 39-10 19 10 39 10 19-10 38-10"
      />
      <path
        className="error-picture-wave error-picture-wave-far"
        d="M24 166c20 0 20 8 40 8s20-8 39-8 19 8 39 8 19-8 39-8 19 8 39 8 19-8 39-8 19 8 38 8"
      />
    </svg>
  );
}
