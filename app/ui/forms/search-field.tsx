import { Search } from 'lucide-react'

/** What a list is searched by, for a FilterForm: its words are `name` in the address. `label` and `placeholder` say in what. */
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
