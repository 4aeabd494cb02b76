# Prints the signatures that wrong receivers in Ruby compute, one `name<TAB>signature` a line.
require 'base64'
require 'json'
require 'openssl'

timestamp, secret = ARGV
raw = $stdin.read
event = JSON.parse(raw)
sign = ->(message, key = secret) { "v1=#{OpenSSL::HMAC.hexdigest('SHA256', key, message)}" }
show = ->(name, signature) { puts "#{name}\t#{signature}" }

show.('written', event.to_json)
show.('to_json', sign.("#{timestamp}.#{event.to_json}"))
show.('pretty_generate', sign.("#{timestamp}.#{JSON.pretty_generate(event)}"))
show.('hash', sign.("#{timestamp}.#{event}"))
show.('body first', sign.("#{raw}.#{timestamp}"))
show.('body in base64', sign.("#{timestamp}.#{Base64.strict_encode64(raw)}"))
show.('secret without whsec_', sign.("#{timestamp}.#{raw}", secret.delete_prefix('whsec_')))
show.('upper case', sign.("#{timestamp}.#{raw}").upcase.sub('V1', 'v1'))
