/**
 * The search of a `PersonCombobox` without JavaScript. Reloads the page with the search param `name`. A form of its
 * own, because forms can't be nested: put it before the form of the combobox.
 */
export function PersonSearchForm({
  url,
  name,
  value,
  label,
}: {
  url: string
  name: string
  value: string
  label: string
}) {
  const [path, query] = url.split('?')
  const params = [...new URLSearchParams(query)].filter(([param]) => param !== name)
  return (
    <noscript>
      <form action={path} role="search" className="mb-4 flex gap-2">
        {params.map(([param, text]) => (
          <input key={param} type="hidden" name={param} value={text} />
        ))}
        <input
          type="search"
          name={name}
          aria-label={label}
          placeholder={label}
          defaultValue={value}
          className="input"
        />
        <button type="submit" className="btn btn-secondary">
          Find
        </button>
      </form>
    </noscript>
  )
}
