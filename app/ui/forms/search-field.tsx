import { Search } from 'lucide-react'

/** The search field of a FilterForm. The text is the search param `name`. */
export function SearchField({
  name = 'q',
  label,
  placeholder,
  value,
  className = '',
}: {
  name?: string
  label: string
  placeholder: string
  value: string
  className?: string
}) {
  return (
    <label className={`has-icon block min-w-0 ${className}`}>
      <span className="sr-only">{label}</span>
      <Search className="i" />
      <input
        type="search"
        name={name}
        defaultValue={value}
        maxLength={255}
        autoComplete="off"
        className="input input-quiet"
        placeholder={placeholder}
      />
    </label>
  )
}
