import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** One accent colour: the blue of the sign-in pages, from light to dark. */
const accent: MantineColorsTuple = [
  '#edf5fd',
  '#d6e7f8',
  '#a9cef2',
  '#7ab8ff',
  '#559fec',
  '#2b7fd3',
  '#1a6bbd',
  '#0b57a4',
  '#08478a',
  '#053463',
];

/** Mantine's greys for dark grounds, with the hue of ours. */
const dark: MantineColorsTuple = [
  '#e6e8eb',
  '#c3c9d0',
  '#9aa4af',
  '#6b7683',
  '#3d4650',
  '#303841',
  '#1f252b',
  '#15191d',
  '#0f1215',
  '#0a0c0e',
];

/** Text on the accent colour. The default decides for light grounds only: white on the light blue of dark grounds has 2 : 1. */
const readable: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = input.variant === 'filled' && input.color === input.theme.primaryColor;
  return isAccent ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
};

export const theme = createTheme({
  primaryColor: 'accent',
  // White text on both has a contrast of 5 : 1. Mantine's `autoContrast` looks at the light shade only.
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  autoContrast: true,
  variantColorResolver: readable,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.375rem', sm: '0.625rem', md: '0.875rem', lg: '1.25rem', xl: '2rem' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Dense: controls are 30 pixels high, like the rows of lists.
  components: {
    // Its empty first child is not allowed in a menu (WCAG 1.3.1).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    // Those of dialogs and notifications have no words.
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
