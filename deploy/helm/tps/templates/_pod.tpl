{{- define "tps.pod" -}}
{{- $files := include "tps.secretFiles" . | fromJson -}}
metadata:
  labels: {{- include "tps.labels" . | nindent 4 }}
  annotations:
    # The service reads its settings once: a change starts it again.
    checksum/settings: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "tps.fullname" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  # The pause below, and ten seconds in which the service completes its requests.
  terminationGracePeriodSeconds: 30
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- if .Values.topologySpreadConstraints }}
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
    {{- else }}
    {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "tps.selector" $ | nindent 10 }}
    {{- end }}
    {{- end }}
  containers:
    - {{ include "tps.container" . | nindent 6 | trim }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if ne .Values.store.type "sqlite" }}
    - name: data
      emptyDir: {}
    {{- end }}
    - name: secrets
      secret:
        secretName: {{ .Values.secret.name }}
        defaultMode: 0440
        items:
          {{- range $key := values $files | uniq | sortAlpha }}
          - key: {{ $key }}
            path: {{ $key }}
          {{- end }}
    {{- with .Values.tls.secretName }}
    - name: tls
      secret:
        secretName: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "tps.container" -}}
{{- $files := include "tps.secretFiles" . | fromJson -}}
{{- $scheme := ternary "HTTPS" "HTTP" (ne .Values.tls.secretName "") -}}
name: tps
image: {{ include "tps.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- if .Values.maintenance }}
command: [sleep, infinity]
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - configMapRef:
      name: {{ include "tps.fullname" . }}
env:
  {{- range $name, $key := $files }}
  - name: {{ $name }}_FILE
    value: /run/secrets/tps/{{ $key }}
  {{- end }}
  {{- if ne .Values.store.type "sqlite" }}
  # The image names an embedded store. Empty means not set.
  - name: SERVICE_DATABASE_URL
    value: ""
  {{- end }}
ports:
  - name: api
    containerPort: 8080
  {{- if .Values.metrics.enabled }}
  - name: metrics
    containerPort: 9464
  {{- end }}
{{- if not .Values.maintenance }}
# The service migrates the store before it listens.
startupProbe:
  httpGet: { path: /healthz, port: api, scheme: {{ $scheme }} }
  periodSeconds: 5
  failureThreshold: {{ div (add (int .Values.startup.timeoutSeconds) 4) 5 }}
livenessProbe:
  httpGet: { path: /healthz, port: api, scheme: {{ $scheme }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: api, scheme: {{ $scheme }} }
  periodSeconds: 5
  timeoutSeconds: 5
lifecycle:
  preStop:
    exec:
      # Requests that are on their way here arrive before the service closes its port.
      command: [sleep, "5"]
{{- end }}
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: data
    mountPath: /var/lib/tps
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /run/secrets/tps
    readOnly: true
  {{- if .Values.tls.secretName }}
  - name: tls
    mountPath: /etc/tps/tls
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
