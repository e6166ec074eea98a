/** What a screen is given. */
export interface ScreenProps {
  /** What `:name` stood for in the address. */
  params: Record<string, string>;
}
