/** What every form of a content gets. */
export interface FormProps<Content> {
  content: Content;
  onContent: (content: Content) => void;
  /** What is wrong with a field, named as the service names it: `content.ssid`. */
  problemOf: (field: string) => string | null;
}
