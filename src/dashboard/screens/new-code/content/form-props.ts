/** What every form of a content gets. */
export interface FormProps<Content> {
  content: Content;
  onContent: (content: Content) => void;
  /** What is wrong with a field, named as the service names it: `content.ssid`. */
  problemOf: (field: string) => string | null;
}

/** Names of what is text in the content. */
type TextName<Content> = {
  [N in keyof Content]-?: NonNullable<Content[N]> extends string ? N : never;
}[keyof Content] &
  string;

/** What ties a field of the form to a text of the content. */
export function tied<Content extends object>(
  { content, onContent, problemOf }: FormProps<Content>,
  name: TextName<Content>,
) {
  return {
    value: (content[name] as string | undefined) ?? "",
    problem: problemOf(`content.${name}`),
    onValue: (text: string) => onContent({ ...content, [name]: text }),
  };
}
