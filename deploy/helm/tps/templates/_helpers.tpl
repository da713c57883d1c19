{{- define "tps.fullname" -}}
{{- if contains "tps" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-tps" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "tps.selector" -}}
app.kubernetes.io/name: tps
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tps.labels" -}}
{{ include "tps.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tps.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* The settings that are read from keys of the Secret, as JSON: those named in the values, and those that other values need. */}}
{{- define "tps.secretFiles" -}}
{{- $files := deepCopy .Values.secret.files -}}
{{- if and (eq .Values.store.type "postgresql") (not (hasKey $files "SERVICE_DATABASE_URL")) }}{{ $_ := set $files "SERVICE_DATABASE_URL" "database-url" }}{{ end -}}
{{- if and .Values.metrics.enabled (not (hasKey $files "SERVICE_METRICS_TOKEN")) }}{{ $_ := set $files "SERVICE_METRICS_TOKEN" "metrics-token" }}{{ end -}}
{{- toJson $files -}}
{{- end -}}

{{/* Refuses values that fit the schema and still cannot work. */}}
{{- define "tps.check" -}}
{{- if not .Values.image.repository }}{{ fail "image.repository is required: the registry and name of the image that you built (docs/install.md, Container)" }}{{ end -}}
{{- if not .Values.baseUrl }}{{ fail "baseUrl is required: the https address that clients use, such as https://tps.example" }}{{ end -}}
{{- if not .Values.secret.name }}{{ fail "secret.name is required: an existing Secret with the key master-key (docs/install.md, Kubernetes)" }}{{ end -}}
{{- if and (eq .Values.store.type "sqlite") (gt (int .Values.replicas) 1) }}{{ fail (printf "replicas is %d, but the embedded store (store.type: sqlite) has one process. Set replicas: 1, or store.type: postgresql" (int .Values.replicas)) }}{{ end -}}
{{- range $name := keys .Values.settings | sortAlpha }}
{{- /* OpenTelemetry also reads headers of each kind of data. */}}
{{- $base := regexReplaceAll "^(OTEL_EXPORTER_OTLP_)(TRACES|METRICS)_" (trimSuffix "_FILE" $name) "${1}" }}
{{- if has $base (list "SERVICE_SECRET_KEY_B64" "SERVICE_SECRET_KEY_B64_PREVIOUS" "SERVICE_DATABASE_URL" "SERVICE_METRICS_TOKEN" "SERVICE_SMTP_URL" "SERVICE_NOTICE_URL" "OTEL_EXPORTER_OTLP_HEADERS") }}{{ fail (printf "settings.%s contains a secret: name its key in secret.files.%s" $name $base) }}{{ end }}
{{- if has $name (list "SERVICE_BIND" "SERVICE_BASE_URL" "SERVICE_TLS_CERT_FILE" "SERVICE_TLS_KEY_FILE" "SERVICE_ALLOW_PLAINTEXT" "SERVICE_METRICS_BIND") }}{{ fail (printf "settings.%s is set by the chart, from baseUrl, tls and metrics" $name) }}{{ end }}
{{- end -}}
{{- if and .Values.ingress.enabled (trimAll "/" (urlParse .Values.baseUrl).path) }}{{ fail (printf "ingress.enabled needs a baseUrl without a path: %s. For a path, use your own proxy that removes it" .Values.baseUrl) }}{{ end -}}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.enabled) }}{{ fail "metrics.serviceMonitor.enabled needs metrics.enabled: true" }}{{ end -}}
{{- if and .Values.ingress.enabled .Values.tls.secretName (not .Values.ingress.annotations) }}{{ fail "ingress.enabled with tls.secretName needs ingress.annotations that make the controller speak https to the service" }}{{ end -}}
{{- end -}}
