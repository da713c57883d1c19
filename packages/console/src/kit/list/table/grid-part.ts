/**
 * The element of a grid and of its rows and cells. It is not that of a table: rows of a table cannot be placed one by one, as a
 * list needs that renders only the rows on the screen. Each use names its role (WAI-ARIA 1.2).
 */
export const GridPart = 'div';
